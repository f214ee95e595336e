package dev.sluice.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentSpec;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatus;
import io.fabric8.kubernetes.client.dsl.RollableScalableResource;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The Deployment of availability mode under the real controller manager, with a process for every pod. */
@AgainstControlPlane
class RolloutIT {

    private static final String POLICY = "policy: {mode: availability}\n";
    /** It starts, lists the cluster, and holds a lease that nobody had. */
    private static final Duration FIRST_START = Duration.ofSeconds(60);
    /** A revision that is no good is looked at for as long as a good one needs to be given the lease, and longer. */
    private static final Duration IN_VAIN = Duration.ofSeconds(20);
    /** The tenure of the old holder, the proof (12 s), the wait, and what a busy machine needs besides. */
    private static final Duration TAKEOVER = Duration.ofMinutes(3);

    private @Nullable AvailabilityMode mode;
    private @Nullable Kubelet kubelet;

    @BeforeEach
    void deploysTheFirstRevision(Cluster cluster) throws Exception {
        cluster.node("worker", Map.of("nvidia.com/gpu", "4"));
        AvailabilityMode begun = AvailabilityMode.withShortWaits(cluster.plane(), cluster.gateway());
        mode = begun;
        kubelet = new Kubelet(cluster.client(), pod -> run(begun, pod));
        deploy(cluster, "first");
    }

    @AfterEach
    void isBackAsItWas(Cluster cluster) throws Exception {
        var _ = deployment(cluster).scale(0);
        if (kubelet != null) {
            kubelet.stop();
        }
        if (mode != null) {
            mode.close();
        }
    }

    private static Gateway run(AvailabilityMode mode, Pod pod) throws IOException {
        String name = pod.getMetadata().getName();
        Account account = mode.inPod(name);
        return switch (pod.getSpec().getContainers().getFirst().getImage()) {
            case "crashing" -> mode.gateway(name, "no-such-key: 1\n", account);
            // It lives, but no API server is where it looks for one.
            case "blind" ->
                mode.gateway(
                        name,
                        POLICY,
                        new Account(
                                account.name(), "null", Map.of("HOSTNAME", name, "KUBECONFIG", "/nowhere/kubeconfig")));
            default -> mode.gateway(name, POLICY, account);
        };
    }

    @Test
    void theHolderStaysUntilANewOneDecides(Cluster cluster) throws Exception {
        Eventually.within(FIRST_START, "one replica is ready", () -> ready().size() == 1);
        String holder = ready().iterator().next();

        for (String bad : List.of("crashing", "blind")) {
            roll(cluster, bad);
            Eventually.within(FIRST_START, "pods of " + bad, () -> pods().containsValue(bad));
            Eventually.stays(IN_VAIN, "the old holder decides beside " + bad, () -> ready().equals(Set.of(holder)));
        }
        assertThat(kubelet().restarts()).as("starts of what crashed").isPositive();
        roll(cluster, "first");
        Eventually.within(TAKEOVER, "only the first revision is there", () -> isComplete(cluster, "first"));
        assertThat(ready()).as("the same one has decided all the time").containsExactly(holder);

        roll(cluster, "second");
        Eventually.within(
                TAKEOVER,
                "the second revision decides",
                () -> pods().keySet().containsAll(ready())
                        && ready().stream().anyMatch(name -> Objects.equals(pods().get(name), "second")));
        Eventually.within(FIRST_START, "the rollout has ended", () -> isComplete(cluster, "second"));
        theHolderWasNotEndedBeforeAnotherWasReady(holder);
        assertThat(kubelet().history())
                .allSatisfy(seen -> assertThat(seen.ready()).hasSizeLessThanOrEqualTo(1));
        for (String field : List.of("updatedReplicas", "replicas")) {
            waitAsDocumented(cluster, "jsonpath={.status." + field + "}=2");
        }
    }

    /** The commands of availability-mode.md. */
    private static void waitAsDocumented(Cluster cluster, String condition) {
        var _ = cluster.plane()
                .kubectl(
                        "-n", Account.NAMESPACE, "wait", "deployment/gpu-webhook", "--for=" + condition, "--timeout=5m")
                .output();
    }

    private void theHolderWasNotEndedBeforeAnotherWasReady(String holder) {
        assertThat(kubelet().history())
                .filteredOn(seen -> seen.gone().contains(holder))
                .isNotEmpty()
                .allSatisfy(seen -> assertThat(seen.ready()).hasSize(1).doesNotContain(holder));
    }

    private Set<String> ready() {
        return kubelet().readyPods();
    }

    private Map<String, String> pods() {
        return kubelet().images();
    }

    private Kubelet kubelet() {
        return Objects.requireNonNull(kubelet);
    }

    /** Every replica is of that image, and one decides. */
    private boolean isComplete(Cluster cluster, String image) {
        DeploymentStatus status =
                Objects.requireNonNull(deployment(cluster).get()).getStatus();
        return Objects.equals(status.getUpdatedReplicas(), 2)
                && Objects.equals(status.getReplicas(), 2)
                && Objects.equals(status.getAvailableReplicas(), 1)
                && pods().values().stream().allMatch(image::equals);
    }

    private static RollableScalableResource<Deployment> deployment(Cluster cluster) {
        return cluster.client()
                .apps()
                .deployments()
                .inNamespace(Account.NAMESPACE)
                .withName("gpu-webhook");
    }

    /** As it ships, but for the image, and so that nobody but the test's kubelet says how its pods are. */
    private static void deploy(Cluster cluster, String image) {
        DeploymentSpec shipped = cluster
                .client()
                .load(new ByteArrayInputStream(cluster.plane()
                        .kubectl("kustomize", "k8s/overlays/availability")
                        .output()
                        .getBytes(UTF_8)))
                .items()
                .stream()
                .filter(Deployment.class::isInstance)
                .map(Deployment.class::cast)
                .findFirst()
                .orElseThrow()
                .getSpec();
        var _ = deployment(cluster).edit(found -> {
            found.setSpec(shipped);
            found.getSpec().getTemplate().getMetadata().setAnnotations(Map.of("it.sluice.dev/fate", "creating"));
            found.getSpec().getTemplate().getSpec().setNodeSelector(Map.of());
            found.getSpec().getTemplate().getSpec().getContainers().getFirst().setImage(image);
            return found;
        });
    }

    private static void roll(Cluster cluster, String image) {
        var _ = deployment(cluster).edit(found -> {
            found.getSpec().getTemplate().getSpec().getContainers().getFirst().setImage(image);
            return found;
        });
    }
}
