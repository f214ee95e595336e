package dev.sluice.cli.status;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Which pods are sent to Sluice, by the manifests and by what users change in them. ExplainIT asks a real API server.
 */
class RegistrationTest {

    private static final YAMLMapper YAML = new YAMLMapper();
    private static final String GPU = "{containers: [{name: c, resources: {limits: {nvidia.com/gpu: 1}}}]}";

    private final ObjectNode webhook = shipped();
    private final Map<String, Map<String, String>> labels = Map.of(
            "team-a", Map.of(), "out", Map.of("gpu-webhook", "disabled"), "in", Map.of("gpu-webhook", "enabled"));

    private static ObjectNode shipped() {
        return read(Path.of("k8s/base/webhook.yaml"), text -> text);
    }

    private static ObjectNode read(Path manifest, UnaryOperator<String> rendered) {
        try {
            return (ObjectNode)
                    YAML.readTree(rendered.apply(Files.readString(manifest))).at("/webhooks/0");
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    private String why(PodAskedAbout pod) {
        RegisteredWebhooks all =
                new RegisteredWebhooks(List.of(new RegisteredWebhook("gpu-allocation-webhook", webhook)), "");
        return new Registration(Optional.of(all), labels, List.of())
                .notAsked(pod)
                .orElse("asked");
    }

    private static PodAskedAbout pod(String namespace, String yaml) throws Exception {
        return new PodAskedAbout(namespace, "Pod train", YAML.readTree(yaml), /* isOfTemplate= */ false);
    }

    private static PodAskedAbout pod(String spec) throws Exception {
        return pod("team-a", "{metadata: {name: train}, spec: " + spec + "}");
    }

    private void set(String field, String yaml) throws Exception {
        webhook.set(field, YAML.readTree(yaml));
    }

    @Test
    void asksAboutPodsWithAGpu() throws Exception {
        assertThat(why(pod(GPU))).isEqualTo("asked");
        assertThat(why(pod("{containers: [{name: c}], initContainers: [{name: i, resources: {requests:"
                        + " {amd.com/cpx_nps4: 1}}}]}")))
                .isEqualTo("asked");
        assertThat(why(pod(
                        "team-a",
                        "{metadata: {annotations: {task.bkbcs.tencent.com/gpu-type: T}}, spec: {containers: []}}")))
                .isEqualTo("asked");
    }

    @Test
    void saysThatAPodAsksForNoneOfTheResources() throws Exception {
        assertThat(why(pod("{containers: [{name: c, resources: {limits: {example.com/gpu: 1}}}]}")))
                .startsWith("The API server does not ask Sluice about Pod train: the condition asks-for-gpu of the"
                        + " webhook is false: the pod asks for none of nvidia.com/gpu, nvidia.com/gpu.shared,")
                .contains("nvidia.com/mig-*")
                .endsWith(". It is created as it is written.");
    }

    @Test
    void aNameThatAUserAddsToTheConditionCounts() throws Exception {
        JsonNode condition = webhook.at("/matchConditions/0");
        String expression = condition.path("expression").asText();
        ((ObjectNode) condition)
                .put(
                        "expression",
                        expression.replace(
                                "'amd.com/gpu' in", "'example.com/gpu' in resources ||\n   'amd.com/gpu' in"));
        assertThat(why(pod("{containers: [{name: c, resources: {limits: {example.com/gpu: 1}}}]}")))
                .isEqualTo("asked");
        assertThat(why(pod("{containers: [{name: c, resources: {limits: {example.org/gpu: 1}}}]}")))
                .contains("example.com/gpu");
    }

    /** The API server sends pods of this size without a further look. */
    @Test
    void aPodOfManyContainersOrResourcesIsSent() throws Exception {
        assertThat(why(pod("{containers: [" + "{name: c}, ".repeat(33) + "]}"))).isEqualTo("asked");
        assertThat(why(pod("{containers: [" + "{name: c}, ".repeat(31) + "{name: d}]}")))
                .isNotEqualTo("asked");
        StringBuilder resources = new StringBuilder();
        for (int i = 0; i < 19; i++) {
            resources.append("example.com/r").append(i).append(": 1, ");
        }
        assertThat(why(pod("{containers: [{name: c, resources: {limits: {" + resources + "}}}]}")))
                .isEqualTo("asked");
    }

    @Test
    void aConditionOfAUserIsNamedAndNotGuessed() throws Exception {
        WebhookCondition own = new WebhookCondition("only-teams", "object.metadata.name.startsWith('t')");
        set("matchConditions", "[{name: only-teams, expression: \"" + own.expression() + "\"}]");

        assertThat(own.isKnown()).isFalse();
        assertThat(why(pod("{containers: []}"))).isEqualTo("asked");
        assertThat(new RegisteredWebhook("c", webhook).podsInWords())
                .contains("that meet the condition only-teams: object.metadata.name.startsWith('t')");
        assertThat(new WebhookCondition("asks-for-gpu", own.expression()).isKnown())
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"is-not-a-mirror-pod", "asks-for-gpu"})
    void knowsTheConditionsOfTheManifests(String name) {
        assertThat(new RegisteredWebhook("c", webhook).conditions())
                .filteredOn(condition -> condition.name().equals(name))
                .singleElement()
                .satisfies(condition -> assertThat(condition.isKnown()).isTrue());
    }

    @Test
    void knowsTheConditionsOfTheChart() {
        ObjectNode ofChart = read(
                Path.of("k8s/chart/templates/webhook.yaml"),
                text -> "webhooks:\n  - matchConditions:\n"
                        + text.substring(text.indexOf("matchConditions:"))
                                .lines()
                                .filter(line -> !line.contains("{{-"))
                                .skip(1)
                                .collect(Collectors.joining("\n"))
                                .replace("{{ . }}", "example.com/gpu"));

        assertThat(new RegisteredWebhook("c", ofChart).conditions())
                .hasSize(2)
                .allMatch(WebhookCondition::isKnown)
                .anyMatch(condition -> condition.words().contains("example.com/gpu"));
    }

    @Test
    void saysWhichLabelOrNameExcludesANamespace() throws Exception {
        assertThat(why(new PodAskedAbout("out", "Pod train", MissingNode.getInstance(), /* isOfTemplate= */ false)))
                .isEqualTo("The API server does not ask Sluice about pods of namespace out: its label gpu-webhook is"
                        + " disabled, and the webhook is registered for namespaces without the label"
                        + " gpu-webhook=disabled. They are created as they are written.");
        assertThat(why(pod("kube-system", GPU))).contains("its name is excluded");
        set("namespaceSelector", "{matchLabels: {gpu-webhook: enabled}}");
        assertThat(why(pod(GPU)))
                .contains("namespace team-a: it has no label gpu-webhook, and the webhook is registered for namespaces"
                        + " with the label gpu-webhook=enabled");
        assertThat(why(pod("in", "{spec: " + GPU + "}"))).isEqualTo("asked");
        // Without the labels only the name is compared.
        assertThat(why(pod("other", "{spec: " + GPU + "}"))).isEqualTo("asked");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{matchLabels: {gpu: 'yes'}} | {} | has no label gpu, and the webhook is registered for pods with the label gpu=yes",
                "{matchLabels: {gpu: 'yes'}} | {gpu: 'no'} | its label gpu is no, and",
                "{matchLabels: {gpu: 'yes'}} | {gpu: 'yes'} | asked",
                "{matchExpressions: [{key: gpu, operator: DoesNotExist}]} | {gpu: a} | pods without the label gpu",
                "{matchExpressions: [{key: gpu, operator: Exists}]} | {} | pods with the label gpu",
                "{matchExpressions: [{key: gpu, operator: NotIn, values: [a]}]} | {} | asked",
                "{} | {} | asked"
            })
    void evaluatesTheObjectSelector(String selector, String podLabels, String expected) throws Exception {
        set("objectSelector", selector);
        assertThat(why(pod("team-a", "{metadata: {labels: " + podLabels + "}, spec: " + GPU + "}")))
                .contains(expected);
    }

    @Test
    void aControllerMayAddTheLabelThatATemplateLacks() throws Exception {
        set("objectSelector", "{matchLabels: {gpu: 'yes'}}");
        JsonNode template = YAML.readTree("{spec: " + GPU + "}");
        assertThat(why(new PodAskedAbout("team-a", "the pods of Job train", template, /* isOfTemplate= */ true)))
                .isEqualTo("The API server does not ask Sluice about the pods of Job train: the template has no label"
                        + " gpu, and the webhook is registered for pods with the label gpu=yes (if the controller adds"
                        + " the label, the API server asks). They are created as they are written.");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{operations: [CREATE], apiGroups: [''], apiVersions: [v1], resources: [pods], scope: Cluster} | no rule",
                "{operations: [UPDATE], apiGroups: [''], apiVersions: [v1], resources: [pods]} | no rule",
                "{operations: [CREATE], apiGroups: [''], apiVersions: [v1], resources: [pods/status]} | no rule",
                "{operations: [CREATE], apiGroups: [''], apiVersions: [v1], resources: ['pods/*'], scope: '*'} | asked",
                "{operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*'], scope: Namespaced} | asked"
            })
    void evaluatesTheRules(String rule, String expected) throws Exception {
        set("rules", "[" + rule + "]");
        assertThat(why(pod(GPU))).contains(expected);
    }

    @Test
    void saysThatNobodyIsRegistered() throws Exception {
        Registration nobody = new Registration(Optional.of(new RegisteredWebhooks(List.of(), "")), Map.of(), List.of());
        assertThat(nobody.notAsked(pod(GPU)).orElseThrow()).startsWith("No webhook of this cluster calls Sluice");
        assertThat(Registration.UNKNOWN.notAsked(pod(GPU))).isEmpty();
    }

    @Test
    void theExampleLabelsAreSelected() throws Exception {
        WebhookLabelSelector selector = WebhookLabelSelector.of(YAML.readTree(
                "{matchLabels: {a: b}, matchExpressions: [{key: c, operator: Exists}, {key: d, operator: NotIn, values:"
                        + " [e]}]}"));
        assertThat(selector.selects(selector.exampleLabels())).isTrue();
        assertThat(selector.selects(Map.of())).isFalse();
    }

    /** Otherwise the user mends the first one, which may be a trial for other namespaces. */
    @Test
    void ofSeveralWebhooksEachIsNamedWithItsReason() throws Exception {
        ObjectNode canary = webhook.deepCopy();
        canary.set("namespaceSelector", YAML.readTree("{matchLabels: {canary: 'yes'}}"));
        RegisteredWebhooks both = new RegisteredWebhooks(
                List.of(
                        new RegisteredWebhook("gpu-canary", canary),
                        new RegisteredWebhook("gpu-allocation-webhook", webhook)),
                "");
        Registration registration = new Registration(Optional.of(both), labels, List.of());

        assertThat(registration.notAsked(pod("out", "{spec: " + GPU + "}")).orElseThrow())
                .isEqualTo("The API server does not ask Sluice about pods of namespace out: it has no label canary, and"
                        + " the webhook of gpu-canary is registered for namespaces with the label canary=yes; its label"
                        + " gpu-webhook is disabled, and the webhook of gpu-allocation-webhook is registered for"
                        + " namespaces without the label gpu-webhook=disabled. They are created as they are written.");
        assertThat(registration.notAsked(pod(GPU))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{key: d, operator: In, values: [e, f]}, {key: d, operator: NotIn, values: [e]}",
                "{key: d, operator: Exists}, {key: d, operator: NotIn, values: ['', enabled]}",
            })
    void theExampleLabelsMeetAllRequirementsOfALabel(String expressions) throws Exception {
        WebhookLabelSelector selector =
                WebhookLabelSelector.of(YAML.readTree("{matchExpressions: [" + expressions + "]}"));
        assertThat(selector.selects(selector.exampleLabels())).isTrue();
    }
}
