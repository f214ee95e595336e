package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ContainerNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.admission.request.NamespaceGlob;
import dev.sluice.admission.request.Policies;
import dev.sluice.admission.request.Policy;
import dev.sluice.admission.request.PolicySwitches;
import dev.sluice.bus.Topic;
import dev.sluice.cli.Cli;
import dev.sluice.config.ConfigLoader;
import dev.sluice.config.ConfigLoader.Loading;
import dev.sluice.golden.GoldenCase;
import dev.sluice.kube.watch.SnapshotFile;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A policy that only observes, through the whole gateway. */
class ObserveTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int CHANGED_PODS_OF_EACH_CASE = 3;

    /** Reserves, so that decisions of both modes run as they do in a gateway of availability mode. */
    private static GatewayUnderTest gateway;

    @BeforeAll
    static void start() {
        gateway = GatewayUnderTest.start(ActivePolicy.first(
                new Policies(PolicySwitches.with(Policy.DEFAULT, Policy.Mode.AVAILABILITY), Map.of()),
                ActivePolicy.DEFAULT.injector()));
    }

    @AfterAll
    static void close() {
        gateway.close();
    }

    private static ActivePolicy policy(GoldenCase golden, Policy.ObservedMessage message) {
        Loading.Loaded loaded =
                (Loading.Loaded) ConfigLoader.load(golden.gateway().orElse(null), Map.of());
        Policies written = loaded.config().policy();
        Map<NamespaceGlob, Policy> namespaces = new LinkedHashMap<>();
        written.namespaces().forEach((name, policy) -> namespaces.put(name, observing(policy, message)));
        return ActivePolicy.first(new Policies(observing(written.base(), message), namespaces), loaded.injector());
    }

    private static Policy observing(Policy policy, Policy.ObservedMessage message) {
        return PolicySwitches.with(policy, Policy.Enforcement.OBSERVE, message);
    }

    private static void follow(ActivePolicy policy) {
        Topic.POLICIES.publish(gateway.sluice().vertx(), policy);
        var _ = GatewayUnderTest.await(gateway.sluice().settled());
    }

    /** The API server changes a pod only by a patch, so an answer without one leaves every byte of it alone. */
    private static void assertLeftAlone(byte[] review, String which) throws Exception {
        JsonNode response = JSON.readTree(gateway.post(review)).path("response");
        assertThat(response.path("allowed").asBoolean()).as(which).isTrue();
        assertThat(names(response)).as(which).isSubsetOf(Set.of("uid", "allowed", "warnings", "auditAnnotations"));
        response.path("warnings")
                .forEach(warning -> assertThat(warning.asText())
                        .as(which)
                        .satisfiesAnyOf(
                                deed -> assertThat(deed).startsWith("would be "),
                                note -> assertThat(note)
                                        .doesNotContain("; using ")
                                        .doesNotContain("instead of")
                                        .doesNotContain("limit was added")));
        assertThat(response.path("auditAnnotations").isMissingNode()
                        || response.at("/auditAnnotations/enforcement").asText().equals("observe"))
                .as(which)
                .isTrue();
    }

    private static List<String> names(JsonNode object) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }

    @Test
    void theStatusNamesTheNamespacesWithAPolicy() throws Exception {
        Map<NamespaceGlob, Policy> namespaces = new LinkedHashMap<>();
        namespaces.put(new NamespaceGlob("team-*"), observing(Policy.DEFAULT, Policy.ObservedMessage.NONE));
        namespaces.put(new NamespaceGlob("lab"), Policy.DEFAULT);
        follow(ActivePolicy.first(new Policies(Policy.DEFAULT, namespaces), ActivePolicy.DEFAULT.injector()));

        JsonNode policy = JSON.readTree(gateway.page("/api/v1/status")).path("policy");

        assertThat(policy.path("enforcement").asText()).isEqualTo("mixed");
        assertThat(policy.path("namespaces").valueStream().map(JsonNode::asText))
                .containsExactly("team-*", "lab");
    }

    @ParameterizedTest
    @EnumSource
    void noPodIsChangedOrRefused(Policy.ObservedMessage message) throws Exception {
        Random random = new Random(43);
        for (GoldenCase golden : GoldenCase.all()) {
            byte[] review = golden.review();
            if (!JSON.readTree(review).at("/request/operation").asText().equals("CREATE")) {
                continue;
            }
            follow(policy(golden, message));
            gateway.show(SnapshotFile.read(golden.cluster()));
            assertLeftAlone(review, golden.name());
            for (int i = 0; i < CHANGED_PODS_OF_EACH_CASE; i++) {
                byte[] changed = changed(review, random);
                assertLeftAlone(changed, golden.name() + ": " + new String(changed, StandardCharsets.UTF_8));
            }
        }
    }

    /** A value of the pod is removed, or another one stands in its place. */
    private static byte[] changed(byte[] review, Random random) throws Exception {
        JsonNode tree = JSON.readTree(review);
        List<ContainerNode<?>> places = new ArrayList<>();
        collect(tree.at("/request/object"), places);
        for (int i = random.nextInt(3); i >= 0 && !places.isEmpty(); i--) {
            change(places.get(random.nextInt(places.size())), random);
        }
        return JSON.writeValueAsBytes(tree);
    }

    private static void collect(JsonNode node, List<ContainerNode<?>> places) {
        if (node instanceof ContainerNode<?> container) {
            places.add(container);
            node.forEach(child -> collect(child, places));
        }
    }

    private static void change(ContainerNode<?> place, Random random) {
        if (place.isEmpty()) {
            return;
        }
        int which = random.nextInt(place.size());
        JsonNode value = List.of(
                        JSON.nullNode(),
                        JSON.valueToTree(random.nextInt(-2, 20)),
                        JSON.valueToTree("x".repeat(random.nextInt(300))),
                        JSON.valueToTree(List.of(1)))
                .get(random.nextInt(4));
        switch (place) {
            case ArrayNode list -> list.set(which, value);
            case ObjectNode object -> {
                String name = names(object).get(which);
                if (random.nextBoolean()) {
                    object.remove(name);
                } else {
                    object.set(name, value);
                }
            }
            default -> {}
        }
    }

    /** From observe to enforce and back, without a restart. */
    @Test
    void theNextPodIsEnforcedWhenThePolicySaysSo() throws Exception {
        GoldenCase golden = GoldenCase.named("when-not-offered-deny-refuses-and-says-what-is-offered");
        gateway.show(SnapshotFile.read(golden.cluster()));
        for (Policy.Enforcement enforcement :
                List.of(Policy.Enforcement.OBSERVE, Policy.Enforcement.ENFORCE, Policy.Enforcement.OBSERVE)) {
            follow(ActivePolicy.first(
                    new Policies(
                            PolicySwitches.with(Policy.DEFAULT, Policy.WhenNotOffered.DENY, enforcement), Map.of()),
                    ActivePolicy.DEFAULT.injector()));
            assertThat(JSON.readTree(gateway.post(golden.review()))
                            .at("/response/allowed")
                            .asBoolean())
                    .isEqualTo(enforcement == Policy.Enforcement.OBSERVE);
        }
    }

    @Test
    void theRecordTheMetricsAndTheSummaryTellWhatWouldBe() throws Exception {
        GoldenCase golden = GoldenCase.named("observe-refuses-nothing");
        follow(policy(golden, Policy.ObservedMessage.NONE));
        gateway.show(SnapshotFile.read(golden.cluster()));
        String series = "gpu_webhook_decisions_total{decision=\"denied\",";
        double enforced = gateway.metric(series + "reason=\"NotOffered\"}");
        double observed = gateway.metric(series + "enforcement=\"observe\",reason=\"NotOffered\"}");
        var _ = gateway.post(golden.review());

        assertThat(gateway.metric(series + "enforcement=\"observe\",reason=\"NotOffered\"}"))
                .isEqualTo(observed + 1);
        assertThat(gateway.metric(series + "reason=\"NotOffered\"}")).isEqualTo(enforced);
        JsonNode decision = JSON.readTree(gateway.page("/api/v1/decisions?limit=1"))
                .path("decisions")
                .path(0);
        assertThat(decision.path("enforcement").asText()).isEqualTo("observe");
        assertThat(decision.path("decision").asText()).isEqualTo("denied");
        assertThat(decision.path("message").asText()).startsWith("container train: no node offers");
        Cli summary = Cli.run("decisions", "--summary", "--url", "http://localhost:" + gateway.managementPort());
        assertThat(summary.err()).isEmpty();
        assertThat(summary.out())
                .contains("this would have been done; the policy only observes")
                .containsPattern("(?m)^NAMESPACE +CHAIN +DECISIONS +CHANGED +DENIED +WAIT +AS ASKED +UNDECIDED$")
                .containsPattern("(?m)^\\S+ +mig-2g\\.20gb +[1-9]\\d* +\\d+ +[1-9]\\d* +\\d+ +\\d+ +\\d+$")
                .contains("Only decisions of one replica since its start are counted");
        assertThat(summary.out().lines()).allMatch(line -> line.length() <= 100);
        String page = "/api/v1/decisions/summary?enforcement=";
        assertThat(JSON.readTree(gateway.page(page + "observe")).path("chains").findValuesAsText("enforcement"))
                .isNotEmpty()
                .containsOnly("observe");
        assertThat(JSON.readTree(gateway.page(page + "enforce")).path("chains").findValuesAsText("enforcement"))
                .doesNotContain("observe");
    }

    @Test
    void aSummaryTakesNoFilterOfSingleDecisions() {
        Cli refused = Cli.run("decisions", "--summary", "--pod", "train");

        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err()).contains("--summary counts all decisions");
    }
}
