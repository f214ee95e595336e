package dev.sluice.it;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A cluster that comes back from nothing: all nodes and all pods of the gateway are deleted, and in some rounds the
 * certificates, the Lease or the API server go as well. Nobody helps when nodes are there again: the pods of the
 * gateway are created although the API server may ask the gateway about pods, and GPU pods are decided soon. The
 * control plane is one of its own; only kubelet and kube-proxy are the test's. {@code -Dbootstrap.rounds} sets the
 * rounds of each installation, and {@code -Dbootstrap.seed} what goes.
 */
@AgainstControlPlane
class BootstrapIT {

    private static final String TENANT = "team-a";
    private static final String GATEWAYS = "gpu-webhook";

    /** A gateway starts in some seconds, and one without a Lease waits for what others may have promised. */
    private static final Duration RECOVERED = Duration.ofMinutes(2);

    @SuppressWarnings("NullAway.Init") // JUnit calls thereIsAnEmptyCluster first
    private static ControlPlane plane;

    private @Nullable Kubelet kubelet;
    private @Nullable ServiceEndpoints service;

    enum Installation {
        ALLOCATABLE("allocatable", /* failsClosed= */ false),
        ALLOCATABLE_FAIL_CLOSED("allocatable", /* failsClosed= */ true),
        AVAILABILITY("availability", /* failsClosed= */ false),
        AVAILABILITY_FAIL_CLOSED("availability", /* failsClosed= */ true);

        private final String mode;
        private final boolean failsClosed;

        Installation(String mode, boolean failsClosed) {
            this.mode = mode;
            this.failsClosed = failsClosed;
        }

        private List<String> components() {
            return failsClosed ? List.of("fail-closed") : List.of();
        }

        private int replicas() {
            return failsClosed ? 3 : 2;
        }
    }

    @BeforeAll
    static void thereIsAnEmptyCluster() throws Exception {
        plane = ControlPlane.named("bootstrap");
        plane.apply("{apiVersion: v1, kind: Namespace, metadata: {name: " + TENANT + "}}");
    }

    @AfterAll
    static void theClusterEnds() throws Exception {
        plane.stop();
    }

    @AfterEach
    void theGatewayIsRemoved() throws Exception {
        if (kubelet != null) {
            kubelet.stop();
        }
        if (service != null) {
            service.close();
        }
        delete("mutatingwebhookconfiguration/gpu-allocation-webhook", "namespace/" + GATEWAYS, "node/worker");
    }

    private static void delete(String... objects) {
        for (String object : objects) {
            var _ = plane.kubectl("delete", object, "--ignore-not-found").output();
        }
    }

    @Test
    void anInstallationThatFailsClosedComesBack() throws Exception {
        comesBack(Installation.ALLOCATABLE_FAIL_CLOSED, 1);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("campaign")
    void everyInstallationComesBackEachTime(Installation installation) throws Exception {
        comesBack(installation, Integer.getInteger("bootstrap.rounds", 100));
    }

    private void comesBack(Installation installation, int rounds) throws Exception {
        KubernetesClient client = plane.client();
        Kubelet begun = new Kubelet(client, BootstrapIT::run);
        kubelet = begun;
        ServiceEndpoints behind = new ServiceEndpoints(client, begun);
        service = behind;
        OwnOverlay overlay =
                OwnOverlay.of(plane, "own-" + installation, installation.mode, installation.components(), behind.url());
        overlay.take(Path.of("k8s"), "present");
        plane.apply(SteadyPods.NODE);
        overlay.follow("kubectl apply -k gpu-webhook");
        awaitDecisions(installation, begun);
        SplittableRandom random = new SplittableRandom(Long.getLong("bootstrap.seed", 1));
        Duration longest = Duration.ZERO;
        for (int round = 1; round <= rounds; round++) {
            String gone = lose(client, begun, random);
            long begin = System.nanoTime();
            plane.apply(SteadyPods.NODE);
            awaitDecisions(installation, begun);
            Duration took = Duration.ofNanos(System.nanoTime() - begin);
            longest = took.compareTo(longest) > 0 ? took : longest;
            System.out.println("bootstrap, " + installation + ", round " + round + ": decided " + took.toMillis()
                    + " ms after the node was there again; gone as well: " + gone);
        }
        System.out.println("bootstrap, " + installation + ": " + rounds + " of " + rounds
                + " recovered, the slowest after " + longest.toMillis() + " ms");
    }

    /** Returns what has gone beside the nodes and the pods. */
    private static String lose(KubernetesClient client, Kubelet kubelet, SplittableRandom random) throws Exception {
        delete("node/worker");
        Set<String> before = names(client);
        var _ = client.pods().inNamespace(GATEWAYS).withGracePeriod(0).delete();
        Eventually.within(
                RECOVERED,
                "the former pods and their processes are gone",
                () -> names(client).stream().noneMatch(before::contains)
                        && kubelet.readyPods().stream().noneMatch(before::contains));
        return switch (random.nextInt(5)) {
            case 0 -> {
                var _ = client.secrets().inNamespace(GATEWAYS).delete();
                yield "Secrets";
            }
            case 1 -> {
                var _ = client.leases().inNamespace(GATEWAYS).delete();
                yield "Leases";
            }
            case 2 -> {
                plane.killApiServer();
                plane.startApiServer();
                yield "API server";
            }
            default -> "nothing";
        };
    }

    private static Set<String> names(KubernetesClient client) {
        return Set.copyOf(client.pods().inNamespace(GATEWAYS).list().getItems().stream()
                .map(pod -> pod.getMetadata().getName())
                .toList());
    }

    private static void awaitDecisions(Installation installation, Kubelet kubelet) {
        Eventually.within(
                RECOVERED, "all replicas are ready", () -> kubelet.readyPods().size() == installation.replicas());
        Eventually.within(RECOVERED, "GPU pods are decided", () -> {
            Api.Answer answer = plane.api()
                    .create(Pods.asking("asks", SteadyPods.MIG), "/api/v1/namespaces/" + TENANT + "/pods?dryRun=All");
            return answer.status() == 201 && !Pods.fallback(answer.pod()).isEmpty();
        });
    }

    private static Gateway run(Pod pod) throws IOException {
        return MountedConfiguration.of(plane, pod).withPeers().run(Gateway.LAUNCHER);
    }
}
