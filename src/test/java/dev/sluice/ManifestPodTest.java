package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentSpec;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** How the gateway runs in a cluster: what starts, how it is guarded, and how it comes and goes. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ManifestPodTest {

    private final Manifests base = Manifests.rendered("k8s/base");
    private final DeploymentSpec deployment = base.only(Deployment.class).getSpec();
    private final PodSpec pod = deployment.getTemplate().getSpec();
    private final Container gateway = pod.getContainers().getFirst();

    @Test
    void startsTheGatewayWithTheMountedPolicy() {
        assertThat(gateway.getCommand()).as("the image knows").isEmpty();
        assertThat(gateway.getArgs()).containsExactly("serve", "--config", "/etc/sluice");
    }

    @Test
    void namesTheImageWithoutARegistryAndWithAVersion() {
        assertThat(gateway.getImage()).matches("sluice:\\d+\\.\\d+\\.\\d+(-SNAPSHOT)?");
    }

    @Test
    void listensOnThePortsOfTheContract() {
        assertThat(gateway.getPorts().stream()
                        .collect(Collectors.toMap(ContainerPort::getName, ContainerPort::getContainerPort)))
                .isEqualTo(Map.of("webhook", 8443, "management", 9090));
    }

    @Test
    void mountsPolicyAndCertificatesWhereTheDefaultsLookForThem() {
        assertThat(mountedAt("/etc/sluice").getConfigMap().getName())
                .isEqualTo(base.configuration().getMetadata().getName());
        Volume certificates = mountedAt("/etc/webhook/certs");
        assertThat(certificates.getSecret().getSecretName()).isEqualTo("gpu-webhook-certs");
        assertThat(certificates.getSecret().getDefaultMode()).isEqualTo(0440);
        assertThat(mountedAt("/tmp").getEmptyDir()).isNotNull();
        assertThat(pod.getVolumes()).hasSize(3);
    }

    /** A subPath mount never sees a renewed certificate. */
    @Test
    void mountsWholeDirectories() {
        assertThat(gateway.getVolumeMounts())
                .hasSize(3)
                .allSatisfy(mount -> assertThat(mount.getSubPath()).isNull());
    }

    @Test
    void meetsTheRestrictedPodSecurityStandard() {
        assertThat(pod.getSecurityContext().getRunAsNonRoot()).isTrue();
        assertThat(pod.getSecurityContext().getRunAsUser()).isPositive();
        assertThat(pod.getSecurityContext().getFsGroup())
                .isEqualTo(pod.getSecurityContext().getRunAsGroup());
        assertThat(pod.getSecurityContext().getSeccompProfile().getType()).isEqualTo("RuntimeDefault");
        assertThat(pod.getHostNetwork()).isNull();
        assertThat(pod.getContainers()).hasSize(1);
        assertThat(pod.getInitContainers()).isEmpty();
        var context = gateway.getSecurityContext();
        assertThat(context.getAllowPrivilegeEscalation()).isFalse();
        assertThat(context.getReadOnlyRootFilesystem()).isTrue();
        assertThat(context.getCapabilities().getDrop()).containsExactly("ALL");
        assertThat(context.getCapabilities().getAdd()).isEmpty();
    }

    @Test
    void holdsAnAccountThatGivesItsTokenToNobodyElse() {
        ServiceAccount account = base.only(ServiceAccount.class);
        assertThat(pod.getServiceAccountName()).isEqualTo(account.getMetadata().getName());
        assertThat(pod.getAutomountServiceAccountToken()).isTrue();
        assertThat(account.getAutomountServiceAccountToken()).isFalse();
    }

    @Test
    void isProbedOnTheManagementPort() {
        assertThat(probed(gateway.getStartupProbe())).isEqualTo("/livez");
        assertThat(probed(gateway.getLivenessProbe())).isEqualTo("/livez");
        assertThat(probed(gateway.getReadinessProbe())).isEqualTo("/readyz");
    }

    @Test
    void isTwiceThereAndStaysSoWhileItIsRolledOut() {
        assertThat(deployment.getReplicas()).isEqualTo(2);
        assertThat(deployment.getStrategy().getRollingUpdate().getMaxUnavailable())
                .isEqualTo(new IntOrString(0));
        assertThat(deployment.getStrategy().getRollingUpdate().getMaxSurge()).isEqualTo(new IntOrString(1));
    }

    @Test
    void prefersAnotherNodeAndAnotherZonePerRevision() {
        var apart = pod.getAffinity().getPodAntiAffinity();
        assertThat(apart.getRequiredDuringSchedulingIgnoredDuringExecution()).isEmpty();
        assertThat(apart.getPreferredDuringSchedulingIgnoredDuringExecution())
                .singleElement()
                .satisfies(preferred -> {
                    assertThat(preferred.getPodAffinityTerm().getTopologyKey()).isEqualTo("kubernetes.io/hostname");
                    assertThat(preferred.getPodAffinityTerm().getMatchLabelKeys())
                            .containsExactly("pod-template-hash");
                    assertThat(preferred.getPodAffinityTerm().getLabelSelector())
                            .isEqualTo(deployment.getSelector());
                });
        assertThat(pod.getTopologySpreadConstraints()).singleElement().satisfies(spread -> {
            assertThat(spread.getTopologyKey()).isEqualTo("topology.kubernetes.io/zone");
            assertThat(spread.getWhenUnsatisfiable()).isEqualTo("ScheduleAnyway");
            assertThat(spread.getMatchLabelKeys()).containsExactly("pod-template-hash");
        });
    }

    @Test
    void servesOnBeforeItIsToldToStopAndHasTimeToFinishThen() {
        long before = gateway.getLifecycle().getPreStop().getSleep().getSeconds();
        assertThat(before).isEqualTo(5);
        assertThat(pod.getTerminationGracePeriodSeconds()).isGreaterThanOrEqualTo(before + 20);
    }

    @Test
    void isPlacedBeforeThePodsItDecidesOn() {
        PriorityClass priority = base.only(PriorityClass.class);
        assertThat(pod.getPriorityClassName()).isEqualTo(priority.getMetadata().getName());
        assertThat(priority.getGlobalDefault()).as("missing means false").isNotEqualTo(true);
    }

    @Test
    void asksForMemoryWithALimitAndForProcessorTimeWithoutOne() {
        assertThat(gateway.getResources().getRequests()).containsOnlyKeys("cpu", "memory");
        assertThat(gateway.getResources().getLimits()).containsOnlyKeys("memory");
        assertThat(bytes(gateway.getResources().getLimits()))
                .isGreaterThan(bytes(gateway.getResources().getRequests()));
    }

    private Volume mountedAt(String path) {
        List<String> names = gateway.getVolumeMounts().stream()
                .filter(mount -> mount.getMountPath().equals(path))
                .map(VolumeMount::getName)
                .toList();
        assertThat(names).as("mounts at %s", path).hasSize(1);
        return pod.getVolumes().stream()
                .filter(volume -> names.contains(volume.getName()))
                .findFirst()
                .orElseThrow();
    }

    private static String probed(Probe probe) {
        assertThat(probe.getHttpGet().getPort()).isEqualTo(new IntOrString("management"));
        return probe.getHttpGet().getPath();
    }

    private static long bytes(Map<String, Quantity> resources) {
        return Objects.requireNonNull(resources.get("memory"))
                .getNumericalAmount()
                .longValueExact();
    }
}
