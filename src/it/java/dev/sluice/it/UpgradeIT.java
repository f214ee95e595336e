package dev.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.it.SteadyPods.Missed;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * An upgrade from an earlier version and the way back, by the commands of {@code src/docs/operate.md}, while pods are
 * created all the time. The control plane is one of its own, and its controllers do what they do in a cluster: they
 * roll the Deployment out and say which pods are behind the Service. Only kubelet and kube-proxy are the test's.
 */
@AgainstControlPlane
@Tag("campaign")
class UpgradeIT {

    private static final String PREVIOUS = "previous";
    private static final String PRESENT = "present";
    private static final String TENANT = "team-a";
    private static final int PODS = 20;

    private static final String ROLLED_OUT = "kubectl -n gpu-webhook rollout status deployment/gpu-webhook";
    private static final String DELETED = "kubectl -n gpu-webhook delete deployment gpu-webhook";
    private static final String APPLIED = "kubectl apply -k gpu-webhook";

    private static final Duration FIRST_START = Duration.ofMinutes(1);

    /**
     * Nobody decides for 34 s after the holder has released the Lease, and for up to 12 s more until the watch proves
     * that it has told everything; a busy machine needs more.
     */
    private static final Duration GAP = Duration.ofSeconds(60);

    /** Within this time the other version has started, and somebody decides again. */
    private static final Duration HANDOVER = Duration.ofMinutes(4);

    @SuppressWarnings("NullAway.Init") // JUnit calls thereIsAnEmptyCluster first
    private static ControlPlane plane;

    @SuppressWarnings("NullAway.Init") // JUnit calls thereIsAnEmptyCluster first
    private static PreviousVersion previous;

    private @Nullable Kubelet kubelet;
    private @Nullable ServiceEndpoints service;
    private @Nullable SteadyPods pods;

    @BeforeAll
    static void thereIsAnEmptyCluster() throws Exception {
        previous = PreviousVersion.built();
        plane = ControlPlane.named("upgrade");
        plane.apply("{apiVersion: v1, kind: Namespace, metadata: {name: " + TENANT + "}}");
        plane.apply(SteadyPods.NODE);
    }

    @AfterAll
    static void theClusterEnds() throws Exception {
        plane.stop();
    }

    @AfterEach
    void theGatewayIsRemoved() throws Exception {
        if (pods != null) {
            pods.end();
        }
        if (kubelet != null) {
            kubelet.stop();
        }
        if (service != null) {
            service.close();
        }
        for (String object : List.of("mutatingwebhookconfiguration/gpu-allocation-webhook", "namespace/gpu-webhook")) {
            var _ = plane.kubectl("delete", object, "--ignore-not-found").output();
        }
    }

    @Test
    void noPodIsMissedByAnUpgradeOrTheWayBack() throws Exception {
        OwnOverlay overlay = install("allocatable");
        overlay.follow(ROLLED_OUT);
        SteadyPods steady = create();

        upgrade(overlay);
        overlay.follow(ROLLED_OUT);
        assertThat(kubelet().images().values()).hasSize(2).allMatch(image -> image.endsWith(PRESENT));
        steady.more(PODS);
        overlay.follow("kubectl -n gpu-webhook rollout undo deployment/gpu-webhook");
        overlay.follow(ROLLED_OUT);
        assertThat(kubelet().images().values()).hasSize(2).allMatch(image -> image.endsWith(PREVIOUS));
        steady.more(PODS);

        System.out.println("upgrade and way back in allocatable mode: " + steady.allWereDecided()
                + " pods created, none missed or refused");
    }

    /** The former version has one ready replica, and shares nothing with those of the present one. */
    @Test
    void podsAreMissedInAvailabilityModeOnlyWhileTheLeaseChangesHands() throws Exception {
        OwnOverlay overlay = install("availability");
        List<Missed> up = whilePodsAreCreated(
                () -> {
                    upgrade(overlay);
                    overlay.follow(ROLLED_OUT);
                },
                PRESENT);
        List<Missed> back = whilePodsAreCreated(
                () -> {
                    overlay.follow(DELETED);
                    overlay.take(previous.manifests(), PREVIOUS);
                    overlay.follow(APPLIED);
                },
                PREVIOUS);
        System.out.println("upgrade and way back in availability mode: nobody decided for "
                + length(up).toSeconds() + " s (" + up.size() + " pods) and "
                + length(back).toSeconds() + " s (" + back.size() + " pods)");
    }

    private interface Step {
        void take() throws Exception;
    }

    private List<Missed> whilePodsAreCreated(Step step, String image) throws Exception {
        SteadyPods steady = create();
        step.take();
        Eventually.within(
                HANDOVER,
                "two replicas of " + image,
                () -> kubelet().images().values().stream()
                                .filter(name -> name.endsWith(image))
                                .count()
                        == 2);
        assertThat(kubelet().images().values()).hasSize(2).allMatch(name -> name.endsWith(image));
        steady.moreDecided(PODS, HANDOVER);
        List<Missed> missed = steady.allWereCreated();
        assertThat(length(missed)).as("from the first missed pod to the last").isLessThan(GAP);
        return missed;
    }

    private static Duration length(List<Missed> missed) {
        return missed.isEmpty()
                ? Duration.ZERO
                : Duration.between(missed.getFirst().at(), missed.getLast().at());
    }

    private SteadyPods create() throws Exception {
        SteadyPods begun = SteadyPods.begin(plane, TENANT);
        pods = begun;
        begun.more(PODS);
        return begun;
    }

    /** The previous version, asked by the API server. */
    private OwnOverlay install(String mode) throws Exception {
        KubernetesClient client = plane.client();
        Kubelet begun = new Kubelet(client, UpgradeIT::run);
        kubelet = begun;
        ServiceEndpoints behind = new ServiceEndpoints(client, begun);
        service = behind;
        OwnOverlay overlay = OwnOverlay.of(plane, "own-" + mode, mode, List.of(), behind.url());
        overlay.take(previous.manifests(), PREVIOUS);
        overlay.follow(APPLIED);
        Eventually.within(
                FIRST_START,
                "the API server asks the replicas",
                () -> !Pods.fallback(plane.api()
                                .create(
                                        Pods.asking("asks", SteadyPods.MIG),
                                        "/api/v1/namespaces/" + TENANT + "/pods?dryRun=All")
                                .pod())
                        .isEmpty());
        return overlay;
    }

    private static void upgrade(OwnOverlay overlay) throws Exception {
        overlay.take(Path.of("k8s"), PRESENT);
        var _ = Command.in(
                        overlay.directory(),
                        Gateway.LAUNCHER.toString(),
                        "check",
                        "--config",
                        "gpu-webhook/gateway.yaml")
                .with("SLUICE_JAVA_HOME", System.getProperty("java.home"))
                .output();
        Command.Ended diff = overlay.run("kubectl diff -k gpu-webhook");
        assertThat(diff.code()).as("there is a difference: " + diff.complaint()).isOne();
        assertThat(diff.output()).contains(PRESENT);
        overlay.follow(APPLIED);
    }

    private Kubelet kubelet() {
        return Objects.requireNonNull(kubelet);
    }

    /** The former version shares nothing with other replicas. */
    private static Gateway run(Pod pod) throws IOException {
        boolean isFormer = pod.getSpec().getContainers().getFirst().getImage().endsWith(PREVIOUS);
        return isFormer
                ? MountedConfiguration.of(plane, pod).run(previous.launcher())
                : MountedConfiguration.of(plane, pod).withPeers().run(Gateway.LAUNCHER);
    }
}
