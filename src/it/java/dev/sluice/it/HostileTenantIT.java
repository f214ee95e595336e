package dev.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * A tenant with the stock role {@code edit} in one namespace attacks the diagnosis of the packaged gateway, which has
 * its shipped flags and the rights of {@code k8s/components/diagnosis}.
 */
@AgainstControlPlane
class HostileTenantIT {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String ROLES = "k8s/components/diagnosis/rbac.yaml";
    private static final String NAME = "diagnoses";

    /** The limit of the container in the manifests. */
    static final long LIMIT = 448L << 20;

    /** The timeout of the readiness probe in the manifests. */
    private static final Duration PROBE = Duration.ofSeconds(2);

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Objects with as many labels as the API server stores, which takes it some seconds for each. */
    private static final int LABELLED = Integer.getInteger("hostile.labelled", 1);

    /** The diagnosis takes a tenth of a processor; the rest is for the watches, this test's probes and the compiler. */
    private static final double CPU_SHARE = 0.25;

    @Test
    void whateverATenantCreatesTheDiagnosisGoesOnForAllOthers(Cluster cluster) throws Exception {
        String evil = cluster.sibling("-evil");
        cluster.node("gpu", Map.of("nvidia.com/gpu", "4"));
        podsOfOthers(cluster);
        HostileTenant tenant = new HostileTenant(cluster, evil);
        Path kubeconfig = diagnosing(cluster);
        try {
            String before;
            try (Siege siege = Siege.diagnosing(kubeconfig)) {
                Eventually.within(
                        PATIENCE,
                        "there are verdicts",
                        () -> ofOthers(siege).matches("(?s).*NeverFitsOneNode.*HeldByTerminating.*"));
                before = ofOthers(siege);
                Probes probes = new Probes(siege);
                try (probes) {
                    tenant.podsOfManySchedulers(200);
                    tenant.longMessages();
                    tenant.leaseOfTheYear9999();
                    tenant.labelled(LABELLED, 46_000);
                    tenant.podsWithLongLabels(130);
                    awaitLeftOut(siege, evil);
                }
                assertShare(siege);
                assertThat(probes.failures()).isEmpty();
                assertSound(siege, before);
            }
            try (Siege again = Siege.diagnosing(kubeconfig)) {
                awaitLeftOut(again, evil);
                assertSound(again, before);
            }
            assertDoctor(cluster, evil);
        } finally {
            cluster.letGo("holder");
            cluster.delete(cluster.namespace(), "holder");
            var _ = cluster.plane().kubectl("delete", "-f", ROLES).output();
            roles().forEach(role -> {
                var _ = cluster.client()
                        .rbac()
                        .clusterRoleBindings()
                        .withName(NAME + "-" + role)
                        .delete();
            });
        }
    }

    /** One verdict depends on the time: an hour later the pod that is being deleted is called stuck. */
    private static void podsOfOthers(Cluster cluster) throws IOException, InterruptedException {
        DoctorIT.created(cluster, Pods.held(Pods.asking("holder", "nvidia.com/gpu", 4)));
        cluster.awaitPhase("Running", 1);
        var _ = cluster.client()
                .pods()
                .inNamespace(cluster.namespace())
                .withName("holder")
                .withGracePeriod(3_600)
                .delete();
        DoctorIT.created(cluster, Pods.asking("never", "nvidia.com/gpu", 8));
        DoctorIT.created(cluster, Pods.asking("waits", "nvidia.com/gpu", 4));
    }

    private static List<String> roles() {
        return List.of("gpu-webhook", "gpu-webhook-pods", "gpu-webhook-claims", "gpu-webhook-diagnosis");
    }

    /** An account with the rights of the gateway, so that what the other gateway may not do stays as it is. */
    private static Path diagnosing(Cluster cluster) throws IOException {
        var _ = cluster.plane().kubectl("apply", "-f", ROLES).output();
        Account.create(cluster, cluster.namespace(), NAME);
        for (String role : roles()) {
            var _ = cluster.client()
                    .resource(new ClusterRoleBindingBuilder()
                            .withNewMetadata()
                            .withName(NAME + "-" + role)
                            .endMetadata()
                            .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", role)
                            .addNewSubject("", "ServiceAccount", NAME, cluster.namespace())
                            .build())
                    .create();
        }
        return Path.of(Account.of(cluster.plane(), cluster.namespace(), NAME).kubeconfig());
    }

    private static JsonNode diagnosis(Siege siege) throws IOException, InterruptedException {
        return JSON.readTree(siege.get("/api/v1/diagnosis").body());
    }

    /** The verdicts of the other namespace, by the names of the pods. */
    private static String ofOthers(Siege siege) throws IOException, InterruptedException {
        Map<String, String> verdicts = new TreeMap<>();
        for (JsonNode pod : diagnosis(siege).path("pods")) {
            String name = pod.path("name").asText();
            if (List.of("never", "waits").contains(name)) {
                verdicts.put(
                        name,
                        pod.path("verdict") + " " + pod.path("also") + " " + pod.path("reasons") + " "
                                + pod.path("explanation"));
            }
        }
        return verdicts.toString();
    }

    /** Both the objects that are too large and those that are too many are named. */
    private static void awaitLeftOut(Siege siege, String evil) {
        Eventually.within(PATIENCE, "the diagnosis names what it leaves out", () -> {
            Pause.millis(250);
            String unchecked = diagnosis(siege).path("unchecked").toString();
            return unchecked.contains("objects of namespace " + evil + " are left out")
                    && unchecked.contains(evil + "/labelled-");
        });
    }

    /** From one diagnosis to the next, because the pause follows the diagnosis. */
    private static void assertShare(Siege siege) throws IOException, InterruptedException {
        awaitNext(siege);
        long begun = System.nanoTime();
        Duration before = siege.cpuTime();
        awaitNext(siege);
        Duration used = siege.cpuTime().minus(before);
        Duration passed = Duration.ofNanos(System.nanoTime() - begun);
        System.out.printf(
                "a hostile tenant: %d ms of processor time in %d ms, peak %d MiB%n",
                used.toMillis(), passed.toMillis(), siege.peakBytes() >> 20);
        assertThat((double) used.toMillis() / passed.toMillis()).isLessThan(CPU_SHARE);
    }

    private static void awaitNext(Siege siege) throws IOException, InterruptedException {
        awaitNext(siege, PATIENCE);
    }

    static void awaitNext(Siege siege, Duration patience) throws IOException, InterruptedException {
        double[] last = {age(siege)};
        Eventually.within(patience, "there is another diagnosis", () -> {
            // Each look costs the gateway processor time.
            Pause.millis(250);
            double now = age(siege);
            boolean isNew = now < last[0];
            last[0] = now;
            return isNew;
        });
    }

    private static double age(Siege siege) throws IOException, InterruptedException {
        return siege.metrics().sum("gpu_webhook_diagnosis_age_seconds");
    }

    private static void assertSound(Siege siege, String before) throws IOException, InterruptedException {
        assertThat(siege.isAlive()).isTrue();
        assertThat(siege.isReady()).isTrue();
        assertThat(siege.peakBytes()).isLessThan(LIMIT);
        assertThat(ofOthers(siege)).isEqualTo(before);
        var answer = siege.get("/api/v1/diagnosis");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(controls(answer.body())).isZero();
        assertNoCommand(answer.body());
        assertThat(controls(siege.log())).as(siege.log()).isZero();
    }

    /** The command of the package sees the same, in the first line of its text. */
    private static void assertDoctor(Cluster cluster, String evil) {
        Command.Ended text = Doctor.of(cluster).run();
        assertThat(text.code()).as(text.complaint()).isZero();
        assertThat(text.output().lines().findFirst().orElseThrow()).contains("pods");
        assertThat(text.output()).contains("NeverFitsOneNode", evil);
        assertThat(controls(text.output()) + controls(text.complaint())).isZero();
        assertNoCommand(text.output());
    }

    /** A shell would read such a name as a command, if it stood without quotes after a command. */
    private static void assertNoCommand(String text) {
        assertThat(text.lines().filter(line -> line.matches(".*(kubectl|sluice) [^'\\\\]*t;touch.*")))
                .isEmpty();
    }

    static long controls(String text) {
        return text.codePoints()
                .filter(c -> c != '\n' && (Character.isISOControl(c) || c == 0x2028 || c == 0x202e))
                .count();
    }

    /** Asks both probes again and again, as the kubelet does. */
    private static final class Probes implements AutoCloseable {

        private final List<String> failures = new ArrayList<>();
        private final Siege siege;
        private final Thread thread;
        private volatile boolean ends;

        Probes(Siege siege) {
            this.siege = siege;
            thread = Thread.ofPlatform().start(this::run);
        }

        private void run() {
            while (!ends) {
                for (String path : List.of("/livez", "/readyz")) {
                    long begun = System.nanoTime();
                    String failure = failure(path);
                    Duration took = Duration.ofNanos(System.nanoTime() - begun);
                    if (!failure.isEmpty() || took.compareTo(PROBE) > 0) {
                        synchronized (failures) {
                            failures.add(path + " " + failure + " after " + took);
                        }
                    }
                }
                Pause.millis(100);
            }
        }

        private String failure(String path) {
            try {
                int status = siege.get(path).statusCode();
                return status == 200 ? "" : Integer.toString(status);
            } catch (IOException failed) {
                return String.valueOf(failed);
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
                ends = true;
                return "";
            }
        }

        List<String> failures() {
            synchronized (failures) {
                return List.copyOf(failures);
            }
        }

        @Override
        public void close() {
            ends = true;
            try {
                thread.join();
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
