package dev.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.LimitRangeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Taint;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random pods beside LimitRanges, other webhooks, priorities and quotas. The real scheduler is the judge: a twin
 * namespace has the same neighbors, but the gateway is not asked there. {@code -Dround=7} tries that one alone, and
 * {@code -Drounds.first=7} begins with it:
 *
 * <pre>mvn verify -Pcampaign -Dcontrolplane=required -Dit.test=CompanyRoundsIT -Dtest=SourceFormatTest</pre>
 */
@AgainstControlPlane
class CompanyRoundsIT {

    private static final long USUAL = 3;
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    /** By then, whatever was decided and never appeared has given way. */
    private static final Duration GIVEN_WAY = Duration.ofSeconds(15);

    /** With so many tries, each of two defaults is seen. */
    private static final int DEFAULTS_TRIED = 20;

    private static final List<String> MODES = List.of("-wait", Reserving.DENY, Reserving.ALLOCATABLE);
    private static final String BY_US = "gpu-allocation.k8s.io";

    static LongStream seeds() {
        long one = Long.getLong("round", 0);
        return one > 0
                ? LongStream.of(one)
                : LongStream.rangeClosed(Long.getLong("rounds.first", 1), Long.getLong("rounds", USUAL));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void nobodyIsWorseOffThanWithoutTheGateway(long seed, Cluster cluster, Reserving reserving) throws Exception {
        Company company = Company.of(seed);
        awaitNothingIsPromised(reserving);
        String namespace = cluster.sibling(MODES.get((int) (seed % MODES.size())));
        String twin = cluster.sibling("-twin");
        var _ = cluster.client().namespaces().withName(twin).edit(found -> {
            found.getMetadata().getLabels().put("gpu-webhook", "disabled");
            return found;
        });
        try (Neighbors _ = new Neighbors(cluster, company, namespace, twin)) {
            reserving.awaitNodes(cluster);
            Round round = new Round(cluster, company, namespace, twin);
            round.send();
            round.nobodyHasMore();
            round.limitRangesRefuseNobodyElse();
            int judged = round.nobodyWaitsOrIsRefusedInVain();
            System.out.printf(
                    "round %d in %s: %d pods, %d LimitRanges, %s, quota %s: %s; %d judged by the scheduler, %.0f late"
                            + " since the first round%n",
                    seed,
                    namespace,
                    company.pods().size(),
                    company.limits().size(),
                    company.neighbors(),
                    company.quota(),
                    round.summary(),
                    judged,
                    reserving.gateway().metrics().sum("gpu_webhook_ledger_late_pods_total"));
        }
        Eventually.holds("the ledger is as the cluster", () -> {
            MetricsPage page = reserving.gateway().metrics();
            return page.sum("gpu_webhook_ledger_audit_findings") == 0
                    && page.sum("gpu_webhook_ledger_event_faults_total") == 0;
        });
    }

    /** Reservations of pods that were refused in the last round would hold room that the scheduler counts as free. */
    private static void awaitNothingIsPromised(Reserving reserving) {
        Eventually.within(
                PATIENCE,
                "no decision of an earlier round is left",
                () -> reserving.gateway().metrics().sum("gpu_webhook_ledger_assumed_decisions") == 0);
    }

    /** What surrounds the gateway in both namespaces; it goes at the end. */
    private static final class Neighbors implements AutoCloseable {

        private final Cluster cluster;
        private final Deque<NeighborWebhook> all = new ArrayDeque<>();

        Neighbors(Cluster cluster, Company company, String namespace, String twin) {
            this.cluster = cluster;
            Company.PRIORITIES.forEach(cluster::priorityClass);
            company.nodes().forEach(this::node);
            for (String each : List.of(namespace, twin)) {
                limit(company, each);
            }
            if (!company.quota().isEmpty()) {
                cluster.quota(namespace, company.quota());
            }
            for (Company.Neighbor neighbor : company.neighbors()) {
                all.push(new NeighborWebhook(cluster, neighbor, List.of(namespace, twin)));
            }
        }

        private void node(String name, Map<String, String> devices) {
            Taint taint = new Taint("NoSchedule", Company.TAINT, null, "present");
            cluster.addNode(name, devices, name.startsWith("tainted") ? new Taint[] {taint} : new Taint[0]);
        }

        private void limit(Company company, String namespace) {
            for (int i = 0; i < company.limits().size(); i++) {
                var _ = cluster.client()
                        .resource(new LimitRangeBuilder()
                                .withNewMetadata()
                                .withName("limits-" + i)
                                .withNamespace(namespace)
                                .endMetadata()
                                .withNewSpec()
                                .withLimits(company.limits().get(i))
                                .endSpec()
                                .build())
                        .create();
            }
        }

        @Override
        public void close() {
            while (!all.isEmpty()) {
                all.pop().close();
            }
        }
    }

    /** A webhook of the round, in both namespaces. */
    private static final class NeighborWebhook implements AutoCloseable {

        private final Witness witness;

        NeighborWebhook(Cluster cluster, Company.Neighbor neighbor, List<String> namespaces) {
            witness = new Witness(cluster, neighbor.name(), call -> answer(neighbor, call));
            var _ = witness.registeredAs(
                    neighbor.name(),
                    webhook -> webhook.withReinvocationPolicy(neighbor.reinvoked() ? "IfNeeded" : "Never")
                            .withNewNamespaceSelector()
                            .addNewMatchExpression()
                            .withKey("kubernetes.io/metadata.name")
                            .withOperator("In")
                            .withValues(namespaces)
                            .addToValues(witness.namespace())
                            .endMatchExpression()
                            .endNamespaceSelector());
        }

        private static Reply answer(Company.Neighbor neighbor, Call call) {
            return switch (neighbor.habit()) {
                case TOLERATES ->
                    call.object().at("/spec/tolerations").toString().contains("\"" + Company.TAINT + "\"")
                            ? Reply.allow()
                            : Reply.allow().patch("""
                                    [{"op":"add","path":"/spec/tolerations/-",
                                    "value":{"key":"%s","operator":"Exists"}}]""".formatted(Company.TAINT));
                case INJECTS_SIDECAR -> injecting(call, "/spec/containers/-");
                case INJECTS_FIRST -> injecting(call, "/spec/containers/0");
                case FILLS -> Reply.allow().patch(filling(call, neighbor.device()));
                case NOTES -> Reply.allow().patch("""
                        [{"op":"add","path":"/metadata/labels/noted-by-%s","value":"yes"}]""".formatted(neighbor.name()));
                case REFUSES ->
                    call.object().at("/metadata/labels").toString().contains("\"0\"")
                            ? Reply.deny("a policy refuses this lot")
                            : Reply.allow();
            };
        }

        private static Reply injecting(Call call, String place) {
            return call.object().at("/spec/containers").toString().contains("\"proxy\"")
                    ? Reply.allow()
                    : Reply.allow().patch("""
                            [{"op":"add","path":"%s","value":{"name":"proxy","image":"none",
                            "resources":{"requests":{"cpu":"100m"}}}}]""".formatted(place));
        }

        private static String filling(Call call, String device) {
            List<String> operations = new ArrayList<>();
            JsonNode containers = call.object().at("/spec/containers");
            for (int i = 0; i < containers.size(); i++) {
                for (String map : List.of("limits", "requests")) {
                    JsonNode resources = containers.get(i).path("resources");
                    String path = "/spec/containers/" + i + "/resources";
                    if (resources.path("limits").has(device)) {
                        continue;
                    }
                    if (!resources.has(map)) {
                        operations.add("{\"op\":\"add\",\"path\":\"%s/%s\",\"value\":{}}".formatted(path, map));
                    }
                    operations.add("{\"op\":\"add\",\"path\":\"%s/%s/%s\",\"value\":\"1\"}"
                            .formatted(path, map, device.replace("/", "~1")));
                }
            }
            return "[" + String.join(",", operations) + "]";
        }

        @Override
        public void close() {
            witness.close();
        }
    }

    /** The pods of a round, what was answered, and what became of them. */
    private static final class Round {

        private final Cluster cluster;
        private final Company company;
        private final String namespace;
        private final String twin;
        private Map<String, Api.Answer> answers = Map.of();

        Round(Cluster cluster, Company company, String namespace, String twin) {
            this.cluster = cluster;
            this.company = company;
            this.namespace = namespace;
            this.twin = twin;
        }

        void send() throws Exception {
            answers = Writers.create(cluster, company.pods(), namespace);
            assertThat(answers.values()).extracting(Api.Answer::status).isSubsetOf(201, 403, 422);
            Eventually.within(
                    PATIENCE,
                    "the scheduler has done what it can",
                    () -> stored().stream().allMatch(Round::isSettled));
        }

        private List<Pod> stored() {
            return cluster.client().pods().inNamespace(namespace).list().getItems();
        }

        private static boolean isSettled(Pod pod) {
            boolean leaves = pod.getMetadata().getDeletionTimestamp() != null;
            boolean preempts = pod.getStatus().getNominatedNodeName() != null;
            return !leaves && (isRunning(pod) || (Cluster.unschedulable(pod).isPresent() && !preempts));
        }

        private static boolean isRunning(Pod pod) {
            return pod.getStatus().getPhase().equals("Running");
        }

        /** No container has more devices than it would have without the gateway. */
        void nobodyHasMore() throws Exception {
            for (Pod asked : company.pods()) {
                Api.Answer answer = answer(asked);
                List<Api.Answer> without = without(asked).stream()
                        .filter(each -> each.status() == 201)
                        .toList();
                if (answer.status() == 201 && !without.isEmpty()) {
                    for (Container container : answer.pod().getSpec().getContainers()) {
                        assertThat(devices(container))
                                .as("%s, which would be %s", answer.body(), without)
                                .isLessThanOrEqualTo(without.stream()
                                        .mapToInt(each -> devices(named(each.pod(), container.getName())))
                                        .max()
                                        .orElseThrow());
                    }
                }
            }
        }

        /**
         * Returns the answers of the API server without the gateway. A LimitRange with a maximum has a default, too,
         * and of two defaults LimitRanger takes either.
         */
        private List<Api.Answer> without(Pod asked) throws Exception {
            List<Api.Answer> tried = new ArrayList<>();
            for (int i = 0; i < (company.limits().size() > 1 ? DEFAULTS_TRIED : 1); i++) {
                tried.add(cluster.dryRun(asked, twin));
            }
            return tried;
        }

        private Api.Answer answer(Pod pod) {
            return Objects.requireNonNull(answers.get(pod.getMetadata().getName()));
        }

        private static Container named(Pod pod, String name) {
            return pod.getSpec().getContainers().stream()
                    .filter(container -> container.getName().equals(name))
                    .findFirst()
                    .orElseThrow();
        }

        private static int devices(Container container) {
            Map<String, Quantity> limits = container.getResources().getLimits();
            return limits == null
                    ? 0
                    : limits.entrySet().stream()
                            .filter(each -> Burst.DEVICES.contains(each.getKey()))
                            .mapToInt(
                                    each -> each.getValue().getNumericalAmount().intValueExact())
                            .sum();
        }

        /**
         * Whatever is refused as not legal is refused without the gateway, too; a quota may refuse what was given. The
         * cause may be another one: without the gateway, a GPU that a LimitRange gives in requests only is not legal,
         * and with its limit another LimitRange may refuse it.
         */
        void limitRangesRefuseNobodyElse() throws Exception {
            for (Pod asked : company.pods()) {
                Api.Answer answer = answer(asked);
                if (answer.status() != 201
                        && !isOurs(answer)
                        && !answer.message().contains("exceeded quota")) {
                    assertThat(without(asked))
                            .as("%s: %s", asked.getMetadata().getName(), answer.message())
                            .extracting(Api.Answer::status)
                            .containsAnyOf(403, 422);
                }
            }
        }

        private static boolean isOurs(Api.Answer answer) {
            return answer.status() == 403 && answer.message().contains(BY_US);
        }

        /** Returns how many pods wait or are refused, for each of which the scheduler has no node as it is written. */
        int nobodyWaitsOrIsRefusedInVain() throws Exception {
            int judged = 0;
            for (Pod asked : company.pods()) {
                if (isOurs(answer(asked))) {
                    Optional<String> refusal = refusal(asked);
                    if (refusal.isPresent()) {
                        isNotRunAsWritten(asked, "is refused: " + refusal.get());
                        judged++;
                    }
                }
            }
            for (Pod waiting : stored()) {
                if (!isRunning(waiting)) {
                    isNotRunAsWritten(
                            asked(waiting), "waits: " + answer(waiting).body());
                    judged++;
                }
            }
            return judged;
        }

        private Pod asked(Pod stored) {
            return company.pods().stream()
                    .filter(pod -> pod.getMetadata()
                            .getName()
                            .equals(stored.getMetadata().getName()))
                    .findFirst()
                    .orElseThrow();
        }

        /**
         * Returns why the gateway still refuses the pod when unseen reservations have given way; empty if it takes it.
         */
        private Optional<String> refusal(Pod asked) throws Exception {
            Optional<String> refusal = Optional.of("");
            long end = System.nanoTime() + GIVEN_WAY.toNanos();
            while (refusal.isPresent() && System.nanoTime() < end) {
                refusal = Optional.of(cluster.dryRun(asked, namespace))
                        .filter(Round::isOurs)
                        .map(Api.Answer::message);
                Eventually.stays(Duration.ofMillis(refusal.isPresent() ? 500 : 0), "a moment", () -> true);
            }
            return refusal;
        }

        private void isNotRunAsWritten(Pod asked, String what) throws Exception {
            String name = asked.getMetadata().getName();
            Api.Answer answer = cluster.create(asked, twin);
            if (answer.status() != 201) {
                return;
            }
            Pod judged = Eventually.found(
                    "the scheduler's word about " + name,
                    () -> Optional.ofNullable(cluster.client()
                                    .pods()
                                    .inNamespace(twin)
                                    .withName(name)
                                    .get())
                            .filter(Round::isSettled));
            assertThat(isRunning(judged))
                    .as("%s %s, and the scheduler runs it as written", name, what)
                    .isFalse();
            cluster.delete(twin, name);
            Eventually.holds(
                    "the twin is gone",
                    () -> cluster.client()
                                    .pods()
                                    .inNamespace(twin)
                                    .withName(name)
                                    .get()
                            == null);
        }

        String summary() {
            long ours = answers.values().stream().filter(Round::isOurs).count();
            long created = answers.values().stream()
                    .filter(each -> each.status() == 201)
                    .count();
            long running = stored().stream().filter(Round::isRunning).count();
            return "%d created, %d of them run, %d refused by the gateway".formatted(created, running, ours);
        }
    }
}
