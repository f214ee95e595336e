package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.injection.InjectionPodResources;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.LabelSelectorRequirement;
import io.fabric8.kubernetes.api.model.LabelSelectorRequirementBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MatchCondition;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhook;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.RuleWithOperations;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.RuleWithOperationsBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** When the API server asks the gateway, and what it does without an answer. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ManifestWebhookTest {

    private final Manifests base = Manifests.rendered("k8s/base");
    private final MutatingWebhook webhook =
            base.only(MutatingWebhookConfiguration.class).getWebhooks().getFirst();

    @Test
    void isTheOnlyOneAndBearsTheNameOfTheContract() {
        assertThat(base.only(MutatingWebhookConfiguration.class).getWebhooks()).hasSize(1);
        assertThat(webhook.getName()).isEqualTo("gpu-allocation.k8s.io");
        assertThat(webhook.getAdmissionReviewVersions()).containsExactly("v1");
    }

    @Test
    void isAskedAboutPodsThatAreCreated() {
        RuleWithOperations pods = new RuleWithOperationsBuilder()
                .withApiGroups("")
                .withApiVersions("v1")
                .withResources("pods")
                .withOperations("CREATE")
                .withScope("Namespaced")
                .build();
        assertThat(webhook.getRules()).containsExactly(pods);
        assertThat(webhook.getMatchPolicy()).isEqualTo("Equivalent");
        assertThat(webhook.getReinvocationPolicy()).isEqualTo("IfNeeded");
        assertThat(webhook.getSideEffects()).isEqualTo("None");
    }

    @Test
    void letsPodsPassSoonWhenNobodyAnswers() {
        assertThat(webhook.getFailurePolicy()).isEqualTo("Ignore");
        assertThat(webhook.getTimeoutSeconds()).isEqualTo(3);
    }

    @Test
    void skipsNamespacesThatOptOutAndThoseTheGatewayStandsOn() {
        assertThat(webhook.getNamespaceSelector().getMatchLabels()).isEmpty();
        assertThat(webhook.getNamespaceSelector().getMatchExpressions())
                .containsExactlyInAnyOrder(
                        notIn("gpu-webhook", "disabled"),
                        notIn("kubernetes.io/metadata.name", "gpu-webhook", "kube-system"));
    }

    @Test
    void cannotBeDodgedByLabelsOfThePod() {
        assertThat(webhook.getObjectSelector()).isNull();
    }

    @Test
    void isReachedThroughTheService() {
        var reference = webhook.getClientConfig().getService();
        Service service = base.only(Service.class);
        assertThat(reference.getName()).isEqualTo(service.getMetadata().getName());
        assertThat(reference.getNamespace()).isEqualTo(service.getMetadata().getNamespace());
        assertThat(reference.getPath()).isEqualTo("/mutate");
        assertThat(service.getSpec().getPorts()).singleElement().satisfies(port -> {
            assertThat(port.getPort()).isEqualTo(reference.getPort()).isEqualTo(443);
            assertThat(port.getTargetPort()).isEqualTo(new IntOrString("webhook"));
        });
    }

    @Test
    void leavesTheCaBundleToTheOverlays() {
        assertThat(webhook.getClientConfig().getCaBundle()).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'nvidia.com/gpu' in resources",
                "'nvidia.com/gpu.shared' in resources",
                "'amd.com/gpu' in resources",
                "r.startsWith('nvidia.com/mig-')",
                "r.startsWith('gpu.intel.com/')"
            })
    void isAskedAboutEveryNameThatIsAGpuWhateverThePolicySays(String test) {
        assertThat(condition()).contains(test);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "object.metadata.annotations",
                "object.spec.containers",
                "object.spec.initContainers",
                "c.resources",
                "c.resources.limits",
                "c.resources.requests"
            })
    void readsAnOptionalFieldOnlyBehindItsGuard(String field) {
        assertThat(condition()).containsOnlyOnce("has(" + field + ")");
        assertThat(condition().indexOf("has(" + field + ")"))
                .isLessThanOrEqualTo(condition().indexOf(field));
    }

    @Test
    void isAskedAboutPodsThatAskForInjection() {
        assertThat(condition())
                .startsWith("has(object.metadata.annotations) && '" + InjectionPodResources.TYPE
                        + "' in object.metadata.annotations || ");
    }

    /** The API server gives up on a condition that costs too much; ConditionCostIT measures what these bounds leave. */
    @ParameterizedTest
    @CsvSource({"containers, 32", "resources, 18"})
    void looksAtSizesBeforeItLooksInside(String what, int most) {
        assertThat(condition()).contains(".exists(" + what + ", size(" + what + ") > " + most + " || ");
    }

    @Test
    void isNotAskedAboutWhatANodeMirrors() {
        assertThat(condition("is-not-a-mirror-pod"))
                .contains("'kubernetes.io/config.mirror' in object.metadata.annotations && ")
                .contains("request.userInfo.username.startsWith('system:node:') && ")
                .contains("'system:nodes' in request.userInfo.groups");
    }

    private String condition() {
        return condition("asks-for-gpu");
    }

    private String condition(String name) {
        assertThat(webhook.getMatchConditions())
                .extracting(MatchCondition::getName)
                .containsExactly("asks-for-gpu", "is-not-a-mirror-pod");
        return webhook.getMatchConditions().stream()
                .filter(condition -> condition.getName().equals(name))
                .findFirst()
                .orElseThrow()
                .getExpression();
    }

    private static LabelSelectorRequirement notIn(String key, String... values) {
        return new LabelSelectorRequirementBuilder()
                .withKey(key)
                .withOperator("NotIn")
                .withValues(values)
                .build();
    }
}
