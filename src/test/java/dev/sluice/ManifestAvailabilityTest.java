package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.request.Policy;
import dev.sluice.config.ConfigLoader;
import dev.sluice.config.GatewayConfig;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.VolumeProjection;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPeerBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPort;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What availability mode changes in the manifests, and nothing else: it is a switch like any other. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ManifestAvailabilityTest {

    private static final List<String> CHANGED =
            List.of("Role", "RoleBinding", "ConfigMap", "Deployment", "MutatingWebhookConfiguration");

    private final Manifests selfManaged = Manifests.rendered("k8s/overlays/self-managed");
    private final Manifests availability = Manifests.rendered("k8s/overlays/availability");

    @TempDir
    private Path directory;

    @Test
    void doesNotReserveForADryRun() {
        assertThat(availability.only(MutatingWebhookConfiguration.class).getWebhooks())
                .singleElement()
                .satisfies(webhook -> assertThat(webhook.getSideEffects()).isEqualTo("NoneOnDryRun"));
    }

    @Test
    void switchesTheModeAndMakesItsCertificates() throws Exception {
        GatewayConfig config = config(availability);
        assertThat(config.policy().base().mode()).isEqualTo(Policy.Mode.AVAILABILITY);
        assertThat(config.tls().mode()).isEqualTo(GatewayConfig.TlsMode.SELF_MANAGED);
        assertThat(config.sharesReservations()).isTrue();
    }

    private GatewayConfig config(Manifests manifests) throws IOException {
        Path files = Files.createTempDirectory(directory, "config");
        for (var file : manifests.configuration().getData().entrySet()) {
            Files.writeString(files.resolve(file.getKey()), file.getValue());
        }
        return ((ConfigLoader.Loading.Loaded) ConfigLoader.load(files, Map.of())).config();
    }

    /** Each replica is ready and answers, so that rollouts and drains are those of allocatable mode. */
    @Test
    void isRolledOutAndDrainedAsInTheOtherMode() {
        assertThat(availability.only(Deployment.class).getSpec().getStrategy())
                .isEqualTo(selfManaged.only(Deployment.class).getSpec().getStrategy());
        assertThat(availability.only(PodDisruptionBudget.class)).isEqualTo(selfManaged.only(PodDisruptionBudget.class));
    }

    @Test
    void replicasFindAndReachEachOther() {
        var gateway = gateway(availability);
        assertThat(gateway.getEnv()).singleElement().satisfies(variable -> {
            assertThat(variable.getName()).isEqualTo("POD_IP");
            assertThat(variable.getValueFrom().getFieldRef().getFieldPath()).isEqualTo("status.podIP");
        });
        assertThat(gateway.getPorts())
                .filteredOn(port -> port.getName().equals("peers"))
                .singleElement()
                .extracting(ContainerPort::getContainerPort)
                .isEqualTo(GatewayConfig.PeerPort.DEFAULT.port());
    }

    /** Pods of the gateway, in both directions, on the port for replicas, and nobody else: availability-mode.md F14. */
    @Test
    void onlyReplicasReachThePortForReplicas() {
        NetworkPolicy policy = availability.all(NetworkPolicy.class).stream()
                .filter(each -> each.getMetadata().getName().equals("gpu-webhook-peers"))
                .findFirst()
                .orElseThrow();
        var replicas = availability.only(Deployment.class).getSpec().getSelector();
        assertThat(policy.getSpec().getPodSelector()).isEqualTo(replicas);
        assertThat(policy.getSpec().getIngress()).singleElement().satisfies(rule -> {
            assertThat(rule.getFrom())
                    .containsExactly(new NetworkPolicyPeerBuilder()
                            .withPodSelector(replicas)
                            .build());
            assertThat(rule.getPorts()).extracting(NetworkPolicyPort::getPort).containsExactly(new IntOrString(8444));
        });
        assertThat(policy.getSpec().getEgress()).singleElement().satisfies(rule -> {
            assertThat(rule.getTo())
                    .containsExactly(new NetworkPolicyPeerBuilder()
                            .withPodSelector(replicas)
                            .build());
            assertThat(rule.getPorts()).extracting(NetworkPolicyPort::getPort).containsExactly(new IntOrString(8444));
        });
        assertThat(availability.all(NetworkPolicy.class))
                .filteredOn(each -> !each.equals(policy))
                .allSatisfy(each -> assertThat(each.toString()).doesNotContain("8444"));
    }

    @Test
    void leavesEverythingElseAsItIs() {
        assertThat(others(availability)).isEqualTo(others(selfManaged));
    }

    /** The files that the component names are there, whoever brings certificates. */
    @ParameterizedTest
    @ValueSource(strings = {"script-certs", "cert-manager"})
    void goesOnTopOfEveryWayToBringCertificates(String overlay) throws Exception {
        Path root = directory.toRealPath();
        Files.writeString(directory.resolve("kustomization.yaml"), """
                resources: [%s]
                components: [%s]
                """.formatted(
                        root.relativize(Path.of("k8s/overlays/" + overlay).toRealPath()),
                        root.relativize(Path.of("k8s/components/availability").toRealPath())));
        Manifests rendered = Manifests.rendered(directory.toString());
        GatewayConfig.PeerPort peers = config(rendered).peers();
        // The webhook's authority is mounted as well, and replicas that trust it would never trust each other.
        assertThat(peers.certificate()).hasToString(fileOfReplicas("tls.crt", rendered));
        assertThat(peers.key()).hasToString(fileOfReplicas("tls.key", rendered));
        assertThat(peers.authority()).hasToString(fileOfReplicas("ca.crt", rendered));
        assertThat(config(rendered).sharesReservations()).isTrue();
        assertThat(gateway(rendered).getVolumeMounts())
                .filteredOn(mount -> mount.getName().equals("certs"))
                .singleElement()
                .extracting(VolumeMount::getMountPath)
                .isEqualTo("/etc/webhook/certs");
    }

    /** Returns where a pod finds the file of this name that is made for replicas. */
    private static String fileOfReplicas(String name, Manifests manifests) throws IOException {
        Volume certificates = manifests.only(Deployment.class).getSpec().getTemplate().getSpec().getVolumes().stream()
                .filter(volume -> volume.getName().equals("certs"))
                .findFirst()
                .orElseThrow();
        String path = certificates.getProjected() == null
                ? keyOfTheScript("\"$peers/peers-" + name + "\"")
                : certificates.getProjected().getSources().stream()
                        .map(VolumeProjection::getSecret)
                        .filter(secret -> secret.getName().equals("gpu-webhook-peers"))
                        .flatMap(secret -> secret.getItems().stream())
                        .filter(item -> item.getKey().equals(name))
                        .findFirst()
                        .orElseThrow()
                        .getPath();
        return "/etc/webhook/certs/" + path;
    }

    /** Returns the key of the Secret gpu-webhook-certs under which tls/make-certs.sh stores this file. */
    private static String keyOfTheScript(String file) throws IOException {
        String script = Files.readString(Path.of("tls/make-certs.sh"));
        String written = script.substring(script.indexOf("\n  name: $secret\n"), script.indexOf("\nSECRET\n"));
        return written.lines()
                .filter(line -> line.endsWith(": $(encode " + file + ")"))
                .map(line -> line.strip().replaceFirst(":.*", ""))
                .findFirst()
                .orElseThrow();
    }

    private static Container gateway(Manifests manifests) {
        return manifests
                .only(Deployment.class)
                .getSpec()
                .getTemplate()
                .getSpec()
                .getContainers()
                .getFirst();
    }

    private static List<HasMetadata> others(Manifests manifests) {
        return manifests.objects().stream()
                .filter(each -> !CHANGED.contains(each.getKind()))
                .filter(each -> !List.of("gpu-webhook-availability", "gpu-webhook-peers")
                        .contains(each.getMetadata().getName()))
                .toList();
    }
}
