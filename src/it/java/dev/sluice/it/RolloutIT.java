package dev.sluice.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Ports;
import dev.sluice.tls.CertificateAuthority;
import dev.sluice.tls.CertifiedKey;
import dev.sluice.tls.ServerCertificateNames;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentSpec;
import io.fabric8.kubernetes.client.dsl.RollableScalableResource;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The Deployment of availability mode under the real controller manager, with a process for every pod, while pods are
 * created: it is rolled out like any other.
 */
@AgainstControlPlane
class RolloutIT {

    private static final String POLICY = "policy: {mode: availability}\n";
    private static final int REPLICAS = 2;
    private static final Duration DAY = Duration.ofDays(1);
    /** It starts, lists the cluster, and holds a lease that nobody had. */
    private static final Duration FIRST_START = Duration.ofSeconds(60);
    /** A revision that is no good is looked at for as long as a good one needs to be rolled out, and longer. */
    private static final Duration IN_VAIN = Duration.ofSeconds(20);

    /** Two replicas start, and two stop, one after the other. */
    private static final Duration ROLLOUT = Duration.ofMinutes(5);

    private static final int PODS = 20;

    private @Nullable AvailabilityMode mode;
    private @Nullable Kubelet kubelet;
    private @Nullable ServiceEndpoints service;
    private @Nullable SteadyPods pods;

    /** One certificate for all pods, as the Secret holds it. */
    private final CertificateAuthority authority = CertificateAuthority.create(Instant.now(), DAY);

    @BeforeEach
    void deploysTheFirstRevision(Cluster cluster) throws Exception {
        SteadyPods.offerWholeGpus(cluster);
        AvailabilityMode begun = new AvailabilityMode(cluster.plane(), cluster.gateway());
        mode = begun;
        Path certificates = cluster.plane().scratch("certificates-of-rollout");
        CertifiedKey serving = authority.issue(
                new ServerCertificateNames(List.of("gpu-webhook.gpu-webhook.svc"), List.of("127.0.0.1")),
                Instant.now(),
                DAY);
        Files.writeString(certificates.resolve("tls.crt"), serving.certificatePem());
        Files.writeString(certificates.resolve("tls.key"), serving.keyPem());
        PeerCertificates peers = PeerCertificates.in(certificates);
        Kubelet started = new Kubelet(cluster.client(), pod -> run(cluster, begun, peers, pod));
        kubelet = started;
        ServiceEndpoints endpoints = new ServiceEndpoints(cluster.client(), started);
        service = endpoints;
        deploy(cluster, "first");
        rolledOut(cluster, FIRST_START);
        begun.register(endpoints.url(), authority.certificatePem());
        Eventually.holds(
                "the API server asks them",
                () -> !Pods.fallback(cluster.dryRun(Pods.asking("asks", SteadyPods.MIG))
                                .pod())
                        .isEmpty());
    }

    @AfterEach
    void isBackAsItWas(Cluster cluster) throws Exception {
        if (pods != null) {
            pods.end();
        }
        var _ = deployment(cluster).scale(0);
        if (kubelet != null) {
            kubelet.stop();
        }
        if (mode != null) {
            mode.close();
        }
        if (service != null) {
            service.close();
        }
    }

    private static Gateway run(Cluster cluster, AvailabilityMode mode, PeerCertificates peers, Pod pod)
            throws IOException {
        String name = pod.getMetadata().getName();
        Account account = mode.inPod(name);
        int port = Ports.free();
        String good = POLICY + peers.configuration(port, "127.0.0.1:" + port);
        return switch (pod.getSpec().getContainers().getFirst().getImage()) {
            case "crashing" -> started(cluster, peers, account, name, "no-such-key: 1\n");
            // It lives, but no API server is where it looks for one.
            case "blind" ->
                started(
                        cluster,
                        peers,
                        new Account(
                                account.name(), "null", Map.of("HOSTNAME", name, "KUBECONFIG", "/nowhere/kubeconfig")),
                        name,
                        good);
            default -> started(cluster, peers, account, name, good);
        };
    }

    private static Gateway started(
            Cluster cluster, PeerCertificates peers, Account account, String name, String configuration)
            throws IOException {
        Path file = cluster.plane().scratch("policy-of-" + name).resolve("policy.yaml");
        Files.writeString(file, configuration);
        return new Gateway(
                cluster.plane(),
                name,
                account,
                file,
                "{certificate: %1$s/tls.crt, key: %1$s/tls.key}".formatted(peers.directory()));
    }

    @Test
    void everyRevisionThatWorksIsRolledOutAndNoPodNoticesIt(Cluster cluster) throws Exception {
        SteadyPods steady = SteadyPods.begin(cluster);
        pods = steady;
        steady.more(PODS);
        Set<String> first = ready();

        for (String bad : List.of("crashing", "blind")) {
            roll(cluster, bad);
            Eventually.within(FIRST_START, "pods of " + bad, () -> images().containsValue(bad));
            Eventually.stays(IN_VAIN, "all of the first decide beside " + bad, () -> ready().equals(first));
        }
        assertThat(kubelet().restarts()).as("starts of what crashed").isPositive();
        roll(cluster, "first");
        rolledOut(cluster, ROLLOUT);
        assertThat(ready()).isEqualTo(first);

        roll(cluster, "second");
        rolledOut(cluster, ROLLOUT);
        assertThat(images().values()).hasSize(REPLICAS).containsOnly("second");
        steady.more(PODS);
        assertThat(kubelet().history().stream().dropWhile(seen -> seen.ready().size() < REPLICAS))
                .as("0 are unavailable at any time")
                .allSatisfy(seen -> assertThat(seen.ready()).hasSizeGreaterThanOrEqualTo(REPLICAS));
        System.out.println("rollout: " + steady.allWereDecided() + " pods were created, and all were decided");
    }

    private Set<String> ready() {
        return kubelet().readyPods();
    }

    private Map<String, String> images() {
        return kubelet().images();
    }

    private Kubelet kubelet() {
        return Objects.requireNonNull(kubelet);
    }

    /** As kubectl says it, and everybody who waits for the end of a rollout. */
    private static void rolledOut(Cluster cluster, Duration patience) {
        var _ = cluster.plane()
                .kubectl(
                        "-n",
                        Account.NAMESPACE,
                        "rollout",
                        "status",
                        "deployment/gpu-webhook",
                        "--timeout=" + patience.toSeconds() + "s")
                .output();
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
        change(cluster, found -> {
            found.setSpec(shipped);
            found.getSpec().getTemplate().getMetadata().setAnnotations(Map.of("it.sluice.dev/fate", "creating"));
            found.getSpec().getTemplate().getSpec().setNodeSelector(Map.of());
            found.getSpec().getTemplate().getSpec().getContainers().getFirst().setImage(image);
            return found;
        });
    }

    private static void roll(Cluster cluster, String image) {
        change(cluster, found -> {
            found.getSpec().getTemplate().getSpec().getContainers().getFirst().setImage(image);
            return found;
        });
    }

    /** Repeats the change while it conflicts with a write of the deployment controller, as controllers do. */
    private static void change(Cluster cluster, UnaryOperator<Deployment> change) {
        Eventually.holds("the deployment is changed", () -> {
            var _ = deployment(cluster).edit(change);
            return true;
        });
    }
}
