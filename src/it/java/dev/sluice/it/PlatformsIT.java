package dev.sluice.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What platforms ask of the gateway, as far as a control plane without nodes can tell. */
@AgainstControlPlane
class PlatformsIT {

    private static final String TWO = "nvidia.com/mig-2g.20gb";

    @Test
    void theApiServerAsksAGatewayWithAnIpv6Address(Cluster cluster) throws Exception {
        cluster.node("worker", Map.of(TWO, "12"));
        try (AvailabilityMode mode = new AvailabilityMode(cluster.plane(), cluster.gateway())) {
            Gateway gateway = new Gateway(
                    cluster.plane(),
                    "ipv6",
                    Account.byKubeconfig(cluster.plane()),
                    Gateway.SHIPPED_POLICY,
                    "",
                    PlatformsIT::everywhere);
            try {
                gateway.ready().awaitNodes(1);
                mode.register(gateway.url().replace("127.0.0.1", "[::1]"), new String(gateway.caBundle(), UTF_8));
                mode.awaitAsked(gateway, "default");
                Pod pod = cluster.create(Pods.asking("pod", "nvidia.com/mig-3g.40gb"))
                        .pod();
                assertThat(Pods.limits(pod)).isEqualTo("{" + TWO + "=1}");
            } finally {
                gateway.kill();
            }
        }
    }

    private static List<String> everywhere(Path directory) {
        try {
            Path file = directory.resolve("gateway.yaml");
            Files.writeString(file, Files.readString(file).replace("host: 127.0.0.1", "host: \"::\""));
            return Gateway.startedBy(Gateway.LAUNCHER).apply(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** loft-sh/vcluster#4150: the syncer resizes each pod in the host cluster to what the virtual one asks. */
    @Test
    void nobodyResizesTheGpuOfAPodToWhatItsVirtualPodAsks(Cluster cluster) throws Exception {
        cluster.node("worker", Map.of(TWO, "12"));
        Pod pod = cluster.create(Pods.asking("pod", "nvidia.com/mig-3g.40gb")).pod();
        assertThat(Pods.limits(pod)).isEqualTo("{" + TWO + "=1}");
        String asked = "{'nvidia.com/mig-3g.40gb':'1'}";
        String patch = "{'spec':{'containers':[{'name':'"
                + pod.getSpec().getContainers().getFirst().getName()
                + "','resources':{'limits':" + asked + ",'requests':" + asked + "}}]}}";
        Command.Ended resized = cluster.plane()
                .kubectl(
                        "--namespace=" + cluster.namespace(),
                        "patch",
                        "pod",
                        "pod",
                        "--subresource=resize",
                        "--type=strategic",
                        "--patch=" + patch.replace('\'', '"'))
                .run();
        assertThat(resized.code()).isNotZero();
        assertThat(resized.complaint()).contains("only cpu and memory");
    }

    /** The namespace of the base refuses pods in the network of a node, and k8s/components/host-network says so. */
    @Test
    void podSecurityAllowsTheHostNetworkWithTheLabelOfTheComponentOnly(Cluster cluster) throws Exception {
        PodSpec usual = spec(cluster, List.of());
        PodSpec onHost = spec(cluster, List.of("host-network"));
        PodSpec ofOpenShift = spec(cluster, List.of("openshift"));
        String restricted = namespace(cluster, "-restricted", "restricted");
        String privileged = namespace(cluster, "-privileged", "privileged");
        assertThat(create(cluster, usual, restricted).status()).isEqualTo(201);
        assertThat(create(cluster, ofOpenShift, restricted).status()).isEqualTo(201);
        assertThat(create(cluster, onHost, restricted).message()).contains("host namespaces (hostNetwork=true)");
        assertThat(create(cluster, onHost, privileged).status()).isEqualTo(201);
    }

    private static String namespace(Cluster cluster, String name, String profile) {
        String namespace = cluster.sibling(name);
        var _ = cluster.client().namespaces().withName(namespace).edit(found -> {
            found.getMetadata().getLabels().put("pod-security.kubernetes.io/enforce", profile);
            return found;
        });
        return namespace;
    }

    /** The pods of the Deployment, without what has to be in their namespace. */
    private static PodSpec spec(Cluster cluster, List<String> components) throws IOException {
        Path directory = Files.createTempDirectory(cluster.plane().scratch("platforms"), "overlay")
                .toRealPath();
        List<Path> named = new ArrayList<>();
        for (String component : components) {
            named.add(
                    directory.relativize(Path.of("k8s", "components", component).toRealPath()));
        }
        Path base =
                directory.relativize(Path.of("k8s", "overlays", "self-managed").toRealPath());
        Files.writeString(
                directory.resolve("kustomization.yaml"), "resources: [" + base + "]\ncomponents: " + named + "\n");
        String rendered =
                cluster.plane().kubectl("kustomize", directory.toString()).output();
        KubernetesClient client = cluster.client();
        PodSpec spec = client.load(new ByteArrayInputStream(rendered.getBytes(UTF_8))).items().stream()
                .filter(Deployment.class::isInstance)
                .map(Deployment.class::cast)
                .findFirst()
                .orElseThrow()
                .getSpec()
                .getTemplate()
                .getSpec();
        spec.setServiceAccountName("default");
        spec.setPriorityClassName(null);
        return spec;
    }

    private static Api.Answer create(Cluster cluster, PodSpec spec, String namespace) throws Exception {
        Pod pod = new PodBuilder()
                .withNewMetadata()
                .withName("gateway")
                .endMetadata()
                .withSpec(spec)
                .build();
        return cluster.plane().api().create(pod, "/api/v1/namespaces/" + namespace + "/pods?dryRun=All");
    }
}
