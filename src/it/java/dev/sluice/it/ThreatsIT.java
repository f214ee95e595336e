package dev.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhook;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Threats of {@code src/docs/security.md} that only a real control plane can answer. */
@AgainstControlPlane
class ThreatsIT {

    private static final String MIG = "nvidia.com/mig-2g.20gb";

    /** Threat 4. Under another name and for no resource, so that the registration of the other tests stays. */
    @Test
    void kubectlDiffTellsThatTheWebhookWasChangedOrIsGone(Cluster cluster) {
        String shipped = drill(cluster.plane());
        var _ = kubectl(cluster, shipped, "apply").output();
        assertThat(kubectl(cluster, shipped, "diff").run().code()).isZero();
        edit(cluster, webhook -> webhook.getRules().getFirst().setOperations(List.of("DELETE")));
        assertThat(kubectl(cluster, shipped, "diff").run().code()).isEqualTo(1);
        var _ = kubectl(cluster, shipped, "delete").output();
        assertThat(kubectl(cluster, shipped, "diff").run().code()).isEqualTo(1);
    }

    /** Threat 4: what is added beside the manifest is seen only by the generation, which rises. */
    @Test
    void theGenerationTellsThatSomethingWasAddedToTheWebhook(Cluster cluster) {
        String shipped = drill(cluster.plane());
        var _ = kubectl(cluster, shipped, "apply").output();
        long before = generation(cluster);
        edit(cluster, webhook -> webhook.getNamespaceSelector().setMatchLabels(Map.of("none", "has-it")));
        assertThat(kubectl(cluster, shipped, "diff").run().code()).isZero();
        assertThat(generation(cluster)).isGreaterThan(before);
        var _ = kubectl(cluster, shipped, "delete").output();
    }

    private static Resource<MutatingWebhookConfiguration> stored(Cluster cluster) {
        return cluster.client()
                .admissionRegistration()
                .v1()
                .mutatingWebhookConfigurations()
                .withName("drill");
    }

    private static long generation(Cluster cluster) {
        return stored(cluster).get().getMetadata().getGeneration();
    }

    private static void edit(Cluster cluster, Consumer<MutatingWebhook> change) {
        var _ = stored(cluster).edit(found -> {
            change.accept(found.getWebhooks().getFirst());
            return found;
        });
    }

    private static String drill(ControlPlane plane) {
        String rendered = plane.kubectl("kustomize", "k8s/base").output();
        List<HasMetadata> shipped = plane.client()
                .load(new ByteArrayInputStream(rendered.getBytes(StandardCharsets.UTF_8)))
                .items();
        MutatingWebhookConfiguration webhook = shipped.stream()
                .filter(MutatingWebhookConfiguration.class::isInstance)
                .map(MutatingWebhookConfiguration.class::cast)
                .findFirst()
                .orElseThrow();
        webhook.getMetadata().setName("drill");
        webhook.getWebhooks().getFirst().getRules().getFirst().setResources(List.of("drills"));
        return Serialization.asYaml(webhook);
    }

    private static Command kubectl(Cluster cluster, String manifest, String verb) {
        return cluster.plane().kubectl(verb, "-f", "-").reading(manifest);
    }

    /** Threat 5: what the gateway's token is good for in other hands. */
    @Test
    void aStolenTokenListsAndWatchesSixKindsAndKeepsOneConfigMap(Cluster cluster) {
        Path kubeconfig = Path.of(cluster.gateway().account().kubeconfig());
        List<String> rights = cluster.plane()
                .kubectl(
                        "--kubeconfig=" + kubeconfig,
                        "auth",
                        "can-i",
                        "--list",
                        "--no-headers",
                        "-n",
                        Account.NAMESPACE)
                .output()
                .lines()
                .filter(line -> !line.startsWith("self") && !line.startsWith(" "))
                .map(line -> line.replaceAll("\\s+", " ").strip())
                .toList();
        assertThat(rights)
                .containsExactlyInAnyOrder(
                        "configmaps [] [gpu-webhook-summary] [get patch]",
                        "limitranges [] [] [list watch]",
                        "nodes [] [] [list watch]",
                        "pods [] [] [list watch]",
                        "resourceclaims.resource.k8s.io [] [] [list watch]",
                        "deviceclasses.resource.k8s.io [] [] [list watch]",
                        "resourceslices.resource.k8s.io [] [] [list watch]");
    }

    /** Threats 8 and 9. */
    @Test
    void whoeverElseAnswersForTheGatewayIsNotBelieved(Cluster cluster) throws Exception {
        String trusted = Base64.getEncoder().encodeToString(cluster.gateway().caBundle());
        try (Witness impostor = new Witness(cluster, _ -> Reply.allow()).registered()) {
            impostor.edit(webhook -> {
                webhook.setFailurePolicy("Fail");
                webhook.getClientConfig().setCaBundle(trusted);
            });
            Eventually.holds("the certificate of the impostor is refused", () -> {
                Api.Answer answer = impostor.dryRun(Pods.plain("pod"));
                return answer.status() == 500 && answer.message().contains("x509");
            });
            int before = impostor.calls().size();
            assertThat(impostor.dryRun(Pods.plain("pod")).message()).contains("unknown authority");
            assertThat(impostor.calls()).hasSize(before);
        }
    }

    /** Threat 14: a GPU that comes by a claim is none of Sluice's business, and is not touched. */
    @Test
    void aPodWithAResourceClaimPassesUntouched(Cluster cluster) throws Exception {
        cluster.node("worker", Map.of("nvidia.com/gpu", "4"));
        double before = cluster.gateway().reviews();
        Pod pod = cluster.create(claiming("claims", "cpu")).pod();
        assertThat(cluster.gateway().reviews()).isEqualTo(before);
        assertThat(pod.getSpec().getResourceClaims()).hasSize(1);
        assertThat(Pods.limits(pod)).isEqualTo("{cpu=1}");
    }

    /** Threat 14: the claim is no way round the decision on what is asked beside it. */
    @Test
    void aClaimBesideADeviceDoesNotHideTheDevice(Cluster cluster) throws Exception {
        cluster.node("worker", Map.of("nvidia.com/mig-1g.10gb", "4"));
        Pod pod = cluster.create(claiming("both", MIG)).pod();
        assertThat(Pods.limits(pod)).isEqualTo("{nvidia.com/mig-1g.10gb=1}");
        assertThat(pod.getSpec().getContainers().getFirst().getResources().getClaims())
                .hasSize(1);
    }

    private static Pod claiming(String name, String resource) {
        return new PodBuilder(Pods.asking(name, resource))
                .editSpec()
                .addNewResourceClaim()
                .withName("gpu")
                .withResourceClaimName("of-a-driver")
                .endResourceClaim()
                .editFirstContainer()
                .editResources()
                .addNewClaim("gpu", null)
                .endResources()
                .endContainer()
                .endSpec()
                .build();
    }

    /** Threats 15 and 16: beside the gateway itself; about other namespaces the cluster's owner must say the same. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"containers\":[{\"name\":\"c\",\"image\":\"i\",\"securityContext\":{\"capabilities\":{\"add\":[\"SYS_ADMIN\"]}}}]",
                "\"containers\":[{\"name\":\"c\",\"image\":\"i\"}],\"hostPID\":true",
                "\"containers\":[{\"name\":\"c\",\"image\":\"i\"}],"
                        + "\"volumes\":[{\"name\":\"v\",\"hostPath\":{\"path\":\"/var/lib/kubelet\"}}]"
            })
    void nothingPrivilegedRunsInTheGatewaysNamespace(String spec, Cluster cluster) throws Exception {
        Api.Answer answer = cluster.plane()
                .api()
                .create(
                        "{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"p\"},\"spec\":{" + spec
                                + "}}",
                        "/api/v1/namespaces/" + Account.NAMESPACE + "/pods?dryRun=All");
        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.message()).contains("PodSecurity");
    }

    /** Threat 18: no policy has a destination, and the process speaks to the API server alone. */
    @Test
    void theGatewaySpeaksToTheApiServerAndToNobodyElse(Cluster cluster) throws Exception {
        cluster.node("worker", Map.of("nvidia.com/gpu", "4"));
        var _ = cluster.dryRun(Pods.asking("pod", MIG));
        int apiServer = Integer.parseInt(cluster.plane().server().replaceAll(".*:", ""));
        assertThat(Sockets.outgoing(cluster.gateway().daemon().pid()))
                .isNotEmpty()
                .allMatch(socket -> socket.isLoopback() && socket.port() == apiServer, "to the API server");
    }
}
