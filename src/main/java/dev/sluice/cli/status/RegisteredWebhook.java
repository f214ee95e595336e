package dev.sluice.cli.status;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.tls.selfmanaged.StoredTrust;
import dev.sluice.tls.selfmanaged.WebhookCaBundle;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A webhook of a MutatingWebhookConfiguration that calls Sluice. Such a webhook has the name of Sluice's webhook, or it
 * calls a Service with the name of Sluice's Service.
 *
 * @param configuration the name of the MutatingWebhookConfiguration
 * @param json the entry of the webhook in the configuration
 */
record RegisteredWebhook(String configuration, JsonNode json) {

    /** The name of the Service in the manifests and in the chart. */
    private static final String SERVICE = "gpu-webhook";

    private static final Set<String> PATHS = Set.of("/mutate", "/mutate--v1-pod");

    /** Returns the webhooks that call Sluice, from all configurations in a MutatingWebhookConfigurationList. */
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

    /** The Service and the port that the API server calls. */
    record CalledService(String namespace, String name, int port) {}

    /** Returns the Service that the API server calls; empty if the webhook is called by a URL. */
    Optional<CalledService> service() {
        return serviceNamespace()
                .map(namespace -> new CalledService(
                        namespace,
                        text("/clientConfig/service/name").orElse(""),
                        json.at("/clientConfig/service/port").asInt(443)));
    }

    /**
     * Returns the host name for which the gateway's certificate must be valid; empty if the webhook is called by a URL.
     */
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

    /** Returns one line for people with the Service or URL that the webhook calls, and its settings. */
    String summary() {
        return configuration + " calls " + target() + "; failurePolicy "
                + text("/failurePolicy").orElse("Fail") + ", timeout "
                + text("/timeoutSeconds").orElse("10") + " s, reinvocationPolicy "
                + text("/reinvocationPolicy").orElse("Never");
    }

    /**
     * Returns the reason why the gateway can never decide through this webhook: the path is wrong, or no rule matches
     * new pods. The reason is a clause. Returns empty if there is none.
     */
    Optional<String> fault() {
        Optional<String> path = serviceNamespace()
                .map(_ -> text("/clientConfig/service/path").orElse("/"))
                .filter(other -> !PATHS.contains(other));
        if (path.isPresent()) {
            return Optional.of(
                    "it calls the path " + path.get() + ", which the gateway answers with 404; expected /mutate");
        }
        return asksAboutNewPods() ? Optional.empty() : Optional.of("no rule of it matches the creation of pods");
    }

    /**
     * Returns true if a rule of the webhook matches the creation of pods. A resource with {@code /*} matches the
     * resource itself as well as its subresources.
     */
    private boolean asksAboutNewPods() {
        for (JsonNode rule : json.path("rules")) {
            if (has(rule.path("operations"), "CREATE", "*")
                    && has(rule.path("resources"), "pods", "pods/*", "*", "*/*")
                    && !rule.path("scope").asText("*").equals("Cluster")
                    && has(rule.path("apiGroups"), "", "*")
                    && has(rule.path("apiVersions"), "v1", "*")) {
                return true;
            }
        }
        return false;
    }

    private static boolean has(JsonNode list, String... wanted) {
        return list.valueStream().map(JsonNode::asText).anyMatch(List.of(wanted)::contains);
    }

    /** Returns true if the API server does not call Sluice again after later webhooks have changed the pod. */
    boolean isNeverReinvoked() {
        return text("/reinvocationPolicy").orElse("Never").equals("Never");
    }

    WebhookLabelSelector namespaces() {
        return WebhookLabelSelector.of(json.path("namespaceSelector"));
    }

    WebhookLabelSelector objects() {
        return WebhookLabelSelector.of(json.path("objectSelector"));
    }

    List<WebhookCondition> conditions() {
        return json.path("matchConditions")
                .valueStream()
                .map(WebhookCondition::of)
                .toList();
    }

    /**
     * Returns the name of a match condition that only the API server can evaluate. Returns empty if there is no such
     * condition.
     */
    Optional<String> unknownCondition() {
        return conditions().stream()
                .filter(condition -> !condition.isKnown())
                .map(WebhookCondition::name)
                .findFirst();
    }

    /**
     * Returns the name of the match condition that the API server could not evaluate, according to its error message.
     * Returns empty if the message is about something else.
     */
    Optional<String> failedCondition(String message) {
        return conditions().stream()
                .filter(condition -> condition.hasFailed(message))
                .map(WebhookCondition::name)
                .findFirst();
    }

    /**
     * The reason why the API server does not send some pods to the gateway.
     *
     * @param subject the description of these pods
     * @param why the reason as a clause
     * @param isOne true if {@code subject} is a single pod
     */
    record NotAskedReason(String subject, String why, boolean isOne) {}

    /**
     * Returns the reason why the API server does not call this webhook for a pod. Returns empty if no such reason is
     * known. The rules are those of the API server
     * (staging/src/k8s.io/apiserver/pkg/admission/plugin/webhook/predicates).
     *
     * @param namespaceLabels the labels of the namespace; empty if they are not known
     * @param called the words for this webhook in the reason, for example {@code the webhook}
     */
    Optional<NotAskedReason> notAsked(PodAskedAbout pod, Optional<Map<String, String>> namespaceLabels, String called) {
        if (!asksAboutNewPods()) {
            return Optional.of(new NotAskedReason(
                    "any pod", "no rule of " + called + " matches the creation of pods", /* isOne= */ false));
        }
        return namespaces()
                .exclusion(pod.namespace(), namespaceLabels, called)
                .map(why -> new NotAskedReason("pods of namespace " + pod.namespace(), why, /* isOne= */ false))
                .or(() -> pod.object().isMissingNode() ? Optional.empty() : exclusion(pod, called));
    }

    private Optional<NotAskedReason> exclusion(PodAskedAbout pod, String called) {
        return objects()
                .exclusion(pod, called)
                .or(() -> conditions().stream()
                        .flatMap(condition -> condition.unmet(pod.object(), called).stream())
                        .findFirst())
                .map(why -> new NotAskedReason(pod.subject(), why, !pod.isOfTemplate()));
    }

    /** Returns a description in words of the pods that are sent to the gateway. */
    String podsInWords() {
        List<String> clauses =
                conditions().stream().map(WebhookCondition::words).toList();
        String selected = objects().words("new pods");
        return clauses.isEmpty() ? selected : selected + " " + String.join(", and ", clauses);
    }

    WebhookCaBundle trust() {
        return WebhookCaBundle.read("", Set.of(), text("/clientConfig/caBundle").orElse(""));
    }
}
