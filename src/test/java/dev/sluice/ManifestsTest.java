package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicy;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicyBinding;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicySpec;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The base as a whole: names, rights, and who may talk to whom. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ManifestsTest {

    private static final String NAME = "gpu-webhook";

    private final Manifests base = Manifests.rendered("k8s/base");

    @Test
    void holdsTheseObjectsUnderTheNamesOfTheContract() {
        assertThat(base.names())
                .filteredOn(name -> !name.startsWith("ConfigMap/"))
                .containsExactlyInAnyOrder(
                        "Namespace/gpu-webhook",
                        "ServiceAccount/gpu-webhook",
                        "ClusterRole/gpu-webhook",
                        "ClusterRoleBinding/gpu-webhook",
                        "Role/gpu-webhook-summary",
                        "RoleBinding/gpu-webhook-summary",
                        "PriorityClass/gpu-webhook",
                        "ValidatingAdmissionPolicy/gpu-webhook-priority",
                        "ValidatingAdmissionPolicyBinding/gpu-webhook-priority",
                        "Deployment/gpu-webhook",
                        "Service/gpu-webhook",
                        "PodDisruptionBudget/gpu-webhook",
                        "NetworkPolicy/gpu-webhook",
                        "NetworkPolicy/gpu-webhook-api-server",
                        "MutatingWebhookConfiguration/gpu-allocation-webhook");
        assertThat(base.configuration().getMetadata().getName()).startsWith("gpu-webhook-config-");
    }

    @Test
    void refusesAFieldThatKubernetesDoesNotKnow() {
        assertThatThrownBy(() -> Manifests.parsed("""
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: x}
                spec: {template: {spec: {containers: [{name: a, readinessProbes: {}}]}}}
                """)).hasMessageContaining("readinessProbes");
    }

    @Test
    void labelsEveryObject() {
        assertThat(base.objects())
                .allSatisfy(each -> assertThat(each.getMetadata().getLabels())
                        .containsEntry("app", NAME)
                        .containsKeys(
                                "app.kubernetes.io/name", "app.kubernetes.io/instance", "app.kubernetes.io/component"));
    }

    @Test
    void putsEverythingThatHasANamespaceIntoItsOwn() {
        assertThat(base.objects())
                .filteredOn(each -> each.getMetadata().getNamespace() != null)
                .hasSize(10)
                .extracting(each -> each.getMetadata().getNamespace())
                .containsOnly(NAME);
    }

    @Test
    void enforcesTheRestrictedStandardInItsNamespace() {
        assertThat(base.only(Namespace.class).getMetadata().getLabels())
                .containsEntry("pod-security.kubernetes.io/enforce", "restricted");
    }

    @Test
    void selectsItsOwnPodsEverywhere() {
        Map<String, String> pod = base.only(Deployment.class)
                .getSpec()
                .getTemplate()
                .getMetadata()
                .getLabels();
        Map<String, String> app = Map.of("app", NAME);
        assertThat(pod).containsAllEntriesOf(app);
        assertThat(base.only(Deployment.class).getSpec().getSelector().getMatchLabels())
                .isEqualTo(app);
        assertThat(base.only(Service.class).getSpec().getSelector()).isEqualTo(app);
        assertThat(base.only(PodDisruptionBudget.class).getSpec().getSelector().getMatchLabels())
                .isEqualTo(app);
        assertThat(base.all(NetworkPolicy.class))
                .hasSize(2)
                .allSatisfy(
                        policy -> assertThat(policy.getSpec().getPodSelector().getMatchLabels())
                                .isEqualTo(app));
    }

    @Test
    void letsADrainTakeOneReplicaAtATime() {
        assertThat(base.only(PodDisruptionBudget.class).getSpec().getMaxUnavailable())
                .isEqualTo(new IntOrString(1));
    }

    @Test
    void carriesThePolicyFileAsItStands() throws Exception {
        assertThat(base.configuration().getData())
                .containsExactly(Map.entry("gateway.yaml", Files.readString(Path.of("k8s/base/gateway.yaml"))));
    }

    /** Whoever applies the manifests again must not take away what the replicas have stored. */
    @Test
    void createsTheConfigMapOfTheSummaryWithoutData() {
        assertThat(base.all(ConfigMap.class))
                .filteredOn(map -> map.getMetadata().getName().equals("gpu-webhook-summary"))
                .singleElement()
                .satisfies(map -> assertThat(map.getData()).isNullOrEmpty());
    }

    @Test
    void letsEveryoneReachTheWebhookAndOnlyMonitoringTheManagementPort() {
        var policy = policy(NAME);
        assertThat(policy.getPolicyTypes()).containsExactlyInAnyOrder("Ingress", "Egress");
        assertThat(policy.getIngress()).hasSize(2);
        var webhook = policy.getIngress().getFirst();
        assertThat(webhook.getFrom()).isEmpty();
        assertThat(webhook.getPorts())
                .singleElement()
                .satisfies(port -> assertThat(port.getPort()).isEqualTo(new IntOrString(8443)));
        var management = policy.getIngress().getLast();
        assertThat(management.getPorts())
                .singleElement()
                .satisfies(port -> assertThat(port.getPort()).isEqualTo(new IntOrString(9090)));
        assertThat(management.getFrom())
                .singleElement()
                .satisfies(peer -> assertThat(peer.getNamespaceSelector().getMatchLabels())
                        .isEqualTo(Map.of("kubernetes.io/metadata.name", "monitoring")));
    }

    @Test
    void letsThePodReachTheApiServerAndDnsOnly() {
        assertThat(policy(NAME).getEgress()).singleElement().satisfies(names -> {
            assertThat(names.getPorts())
                    .extracting(port -> port.getPort().getIntVal())
                    .containsExactly(53, 53);
            assertThat(names.getTo())
                    .singleElement()
                    .satisfies(peer -> assertThat(peer.getPodSelector().getMatchLabels())
                            .isEqualTo(Map.of("k8s-app", "kube-dns")));
        });
        assertThat(policy("gpu-webhook-api-server").getEgress())
                .singleElement()
                .satisfies(server -> assertThat(server.getPorts())
                        .extracting(port -> port.getPort().getIntVal())
                        .containsExactly(443, 6443));
    }

    /** Private ones, and so not every address; an overlay names others. */
    @Test
    void saysInOnePlaceWhichAddressesTheApiServerMayHave() {
        NetworkPolicySpec policy = policy("gpu-webhook-api-server");
        assertThat(policy.getPolicyTypes()).containsExactly("Egress");
        assertThat(policy.getEgress().getFirst().getTo())
                .extracting(peer -> peer.getIpBlock().getCidr())
                .containsExactly("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7");
    }

    private NetworkPolicySpec policy(String name) {
        return base.all(NetworkPolicy.class).stream()
                .filter(policy -> policy.getMetadata().getName().equals(name))
                .findFirst()
                .orElseThrow()
                .getSpec();
    }

    /** PriorityIT tries it. */
    @Test
    void keepsItsPriorityToItself() {
        assertThat(base.only(PriorityClass.class).getPreemptionPolicy()).isEqualTo("Never");
        var policy = base.only(ValidatingAdmissionPolicy.class);
        assertThat(policy.getSpec().getFailurePolicy()).isEqualTo("Fail");
        assertThat(policy.getSpec().getMatchConstraints().getNamespaceSelector().getMatchExpressions())
                .singleElement()
                .satisfies(others -> {
                    assertThat(others.getOperator()).isEqualTo("NotIn");
                    assertThat(others.getValues()).containsExactly(NAME);
                });
        assertThat(policy.getSpec().getValidations())
                .singleElement()
                .satisfies(rule -> assertThat(rule.getExpression())
                        .contains("object.spec.priorityClassName != '" + nameOf(PriorityClass.class) + "'"));
        var binding = base.only(ValidatingAdmissionPolicyBinding.class).getSpec();
        assertThat(binding.getPolicyName()).isEqualTo(policy.getMetadata().getName());
        assertThat(binding.getValidationActions()).containsExactly("Deny");
    }

    private String nameOf(Class<? extends HasMetadata> type) {
        return base.only(type).getMetadata().getName();
    }
}
