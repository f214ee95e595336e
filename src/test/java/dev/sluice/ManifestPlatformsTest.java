package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentSpec;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** What the components for platforms change, and nothing else. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ManifestPlatformsTest {

    private static final Pattern PATCHES_FOR_AKS = Pattern.compile("(?s)### On AKS.*?```yaml\n(patches:.*?)```");

    private static final String NAME = "zz-gpu-allocation-webhook";

    private final Manifests usual = Manifests.rendered("k8s/overlays/self-managed");

    @TempDir
    private Path directory;

    private Manifests with(String component) throws IOException {
        Files.writeString(directory.resolve("kustomization.yaml"), """
                resources: [%s]
                components: [%s]
                """.formatted(
                        relative("k8s/overlays/self-managed"), relative("k8s/components/" + component)));
        return Manifests.rendered(directory.toString());
    }

    private Path relative(String path) throws IOException {
        return directory.toRealPath().relativize(Path.of(path).toRealPath());
    }

    @Test
    void hostNetworkBringsWhatItNeeds() throws Exception {
        Manifests changed = with("host-network");
        PodSpec pod = deployment(changed).getTemplate().getSpec();
        assertThat(pod.getHostNetwork()).isTrue();
        assertThat(pod.getDnsPolicy()).isEqualTo("ClusterFirstWithHostNet");
        assertThat(deployment(changed).getStrategy().getRollingUpdate().getMaxSurge())
                .as("a node has each port once")
                .isEqualTo(new IntOrString(0));
        assertThat(changed.only(Namespace.class).getMetadata().getLabels())
                .containsEntry("pod-security.kubernetes.io/enforce", "privileged");
        assertThat(others(changed, List.of("Deployment", "Namespace")))
                .isEqualTo(others(usual, List.of("Deployment", "Namespace")));
    }

    @Test
    void openShiftChoosesUserAndGroups() throws Exception {
        Manifests changed = with("openshift");
        PodSpec pod = deployment(changed).getTemplate().getSpec();
        PodSpec before = deployment(usual).getTemplate().getSpec();
        assertThat(pod.getSecurityContext().getRunAsUser()).isNull();
        assertThat(pod.getSecurityContext().getRunAsGroup()).isNull();
        assertThat(pod.getSecurityContext().getFsGroup()).isNull();
        pod.setSecurityContext(before.getSecurityContext());
        assertThat(changed.objects()).isEqualTo(usual.objects());
    }

    @Test
    void optInAsksAboutNamespacesWithTheLabelOnly() throws Exception {
        Manifests changed = with("opt-in");
        assertThat(changed.only(MutatingWebhookConfiguration.class).getWebhooks())
                .singleElement()
                .satisfies(webhook -> {
                    assertThat(webhook.getNamespaceSelector().getMatchLabels())
                            .isEqualTo(Map.of("gpu-webhook", "enabled"));
                    assertThat(webhook.getNamespaceSelector().getMatchExpressions())
                            .isEqualTo(usual.only(MutatingWebhookConfiguration.class)
                                    .getWebhooks()
                                    .getFirst()
                                    .getNamespaceSelector()
                                    .getMatchExpressions());
                });
        List<String> kinds = List.of("MutatingWebhookConfiguration");
        assertThat(others(changed, kinds)).isEqualTo(others(usual, kinds));
    }

    /** The replicas look for the configuration by its name, and have a right to that name only. */
    @Test
    void theLaterNameIsTheSameEverywhere() throws Exception {
        Manifests changed = with("later-name");
        assertThat(changed.only(MutatingWebhookConfiguration.class)
                        .getMetadata()
                        .getName())
                .isEqualTo(NAME);
        assertThat(changed.all(ClusterRole.class))
                .filteredOn(role -> role.getMetadata().getName().equals("gpu-webhook-certificates"))
                .singleElement()
                .satisfies(role -> assertThat(role.getRules().getFirst().getResourceNames())
                        .containsExactly(NAME));
        assertThat(deployment(changed)
                        .getTemplate()
                        .getSpec()
                        .getContainers()
                        .getFirst()
                        .getEnv())
                .containsExactly(new EnvVar("WEBHOOK_CONFIGURATION", NAME, null));
        List<String> kinds = List.of("Deployment", "MutatingWebhookConfiguration", "ClusterRole");
        assertThat(others(changed, kinds)).isEqualTo(others(usual, kinds));
    }

    /** cert-manager finds the webhook by an annotation, which the patch for AKS must leave there. */
    @Test
    void thePatchForAksKeepsOtherAnnotations() throws Exception {
        MatchResult patches = ProjectFiles.matches(
                        PATCHES_FOR_AKS, ProjectFiles.text(ProjectFiles.DOCS.resolve("install.md")))
                .findFirst()
                .orElseThrow();
        Files.writeString(
                directory.resolve("kustomization.yaml"),
                "resources: [" + relative("k8s/overlays/cert-manager") + "]\n" + patches.group(1));
        assertThat(Manifests.rendered(directory.toString())
                        .only(MutatingWebhookConfiguration.class)
                        .getMetadata()
                        .getAnnotations())
                .containsOnly(
                        Map.entry("admissions.enforcer/disabled", "true"),
                        Map.entry("cert-manager.io/inject-ca-from", "gpu-webhook/gpu-webhook"));
    }

    private static DeploymentSpec deployment(Manifests manifests) {
        return manifests.only(Deployment.class).getSpec();
    }

    private static List<HasMetadata> others(Manifests manifests, List<String> changed) {
        return manifests.objects().stream()
                .filter(each -> !changed.contains(each.getKind()))
                .toList();
    }
}
