package dev.sluice.cli.status;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.text.NameList;
import dev.sluice.text.ShortText;
import dev.sluice.tls.selfmanaged.StoredTrust;
import dev.sluice.tls.selfmanaged.WebhookCaBundle;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A webhook of a MutatingWebhookConfiguration that calls Sluice: it has Sluice's name, or it calls Sluice's Service.
 *
 * @param configuration the name of the MutatingWebhookConfiguration
 * @param json the webhook itself
 */
record RegisteredWebhook(String configuration, JsonNode json) {

    /** The name of the Service in the manifests and in the chart. */
    private static final String SERVICE = "gpu-webhook";

    private static final Set<String> PATHS = Set.of("/mutate", "/mutate--v1-pod");

    private static final Pattern RESOURCE = Pattern.compile("'([^']+)' in resources");
    private static final Pattern PREFIX = Pattern.compile("startsWith\\('([^']+/[^']*)'\\)");
    private static final Pattern ANNOTATION = Pattern.compile("'([^']+)' in object\\.metadata\\.annotations");
    private static final int LONGEST_CONDITION = 120;
    private static final int MOST_NAMES = 12;

    /** Returns the webhooks that call Sluice, of all configurations in a list. */
    static List<RegisteredWebhook> in(JsonNode list) {
        List<RegisteredWebhook> found = new ArrayList<>();
        list.path("items").forEach(configuration -> found.addAll(inOne(configuration)));
        return found;
    }

    /** Returns the webhooks of a configuration that call Sluice. */
    static List<RegisteredWebhook> inOne(JsonNode configuration) {
        List<RegisteredWebhook> found = new ArrayList<>();
        for (JsonNode webhook : configuration.path("webhooks")) {
            if (webhook.path("name").asText().equals(StoredTrust.WEBHOOK)
                    || webhook.at("/clientConfig/service/name").asText().equals(SERVICE)) {
                found.add(
                        new RegisteredWebhook(configuration.at("/metadata/name").asText(), webhook));
            }
        }
        return found;
    }

    private Optional<String> text(String pointer) {
        JsonNode value = json.at(pointer);
        return value.isMissingNode() || value.isNull() ? Optional.empty() : Optional.of(value.asText());
    }

    String name() {
        return text("/name").orElse("");
    }

    boolean isFailClosed() {
        return text("/failurePolicy").orElse("Fail").equals("Fail");
    }

    /** Returns the namespace of the Service; empty if the webhook is called by a URL. */
    Optional<String> serviceNamespace() {
        return text("/clientConfig/service/namespace");
    }

    /** Returns the host name for which the certificate must be valid. */
    Optional<String> host() {
        return serviceNamespace()
                .map(namespace -> text("/clientConfig/service/name").orElse("") + "." + namespace + ".svc");
    }

    private String target() {
        return serviceNamespace()
                .map(namespace -> "Service " + namespace + "/"
                        + text("/clientConfig/service/name").orElse("") + ", port "
                        + text("/clientConfig/service/port").orElse("443"))
                .orElseGet(() -> text("/clientConfig/url").orElse("nothing"));
    }

    /** Returns the target and the settings of the webhook in one sentence. */
    String summary() {
        return configuration + " calls " + target() + "; failurePolicy "
                + text("/failurePolicy").orElse("Fail") + ", timeout "
                + text("/timeoutSeconds").orElse("10") + " s, reinvocationPolicy "
                + text("/reinvocationPolicy").orElse("Never");
    }

    /** Returns the reason why this webhook can decide about no pod; empty if there is none. */
    Optional<String> fault() {
        Optional<String> path = serviceNamespace()
                .map(_ -> text("/clientConfig/service/path").orElse("/"))
                .filter(other -> !PATHS.contains(other));
        if (path.isPresent()) {
            return Optional.of(
                    "it calls the path " + path.get() + ", which the gateway answers with 404; expected" + " /mutate");
        }
        return asksAboutNewPods() ? Optional.empty() : Optional.of("no rule of it matches the creation of pods");
    }

    private boolean asksAboutNewPods() {
        for (JsonNode rule : json.path("rules")) {
            if (has(rule.path("operations"), "CREATE", "*")
                    && has(rule.path("resources"), "pods", "*", "*/*")
                    && has(rule.path("apiGroups"), "", "*")
                    && has(rule.path("apiVersions"), "v1", "*")) {
                return true;
            }
        }
        return false;
    }

    private static boolean has(JsonNode list, String... wanted) {
        return LabelSelector.texts(list).anyMatch(List.of(wanted)::contains);
    }

    /** Returns true if later changes by other webhooks are not shown to Sluice. */
    boolean isNeverReinvoked() {
        return text("/reinvocationPolicy").orElse("Never").equals("Never");
    }

    LabelSelector namespaces() {
        return LabelSelector.of(json.path("namespaceSelector"));
    }

    LabelSelector objects() {
        return LabelSelector.of(json.path("objectSelector"));
    }

    /** Returns which pods are sent to the gateway, in words. */
    String podsInWords() {
        List<String> clauses = new ArrayList<>();
        json.path("matchConditions").forEach(condition -> clauses.add(inWords(condition)));
        String selected = objects().words("new pods");
        return clauses.isEmpty() ? selected : selected + " " + String.join(", and ", clauses);
    }

    private static String inWords(JsonNode condition) {
        String expression = condition.path("expression").asText();
        return switch (condition.path("name").asText()) {
            case "asks-for-gpu" -> {
                List<String> names = Stream.concat(
                                matches(RESOURCE, expression),
                                matches(PREFIX, expression).map(prefix -> prefix + "*"))
                        .toList();
                String annotations = NameList.of(matches(ANNOTATION, expression).toList(), MOST_NAMES);
                yield "that ask for " + NameList.of(names, MOST_NAMES)
                        + (annotations.isEmpty() ? "" : " or have the annotation " + annotations);
            }
            case "is-not-a-mirror-pod" -> "that are not mirror pods of a kubelet";
            case String name ->
                "that meet the condition " + name + ": "
                        + ShortText.of(expression.replaceAll("\\s+", " "), LONGEST_CONDITION);
        };
    }

    private static Stream<String> matches(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(found -> found.group(1)).distinct();
    }

    WebhookCaBundle trust() {
        return WebhookCaBundle.read("", Set.of(), text("/clientConfig/caBundle").orElse(""));
    }
}
