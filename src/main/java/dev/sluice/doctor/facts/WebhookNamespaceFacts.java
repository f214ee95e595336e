package dev.sluice.doctor.facts;

import dev.sluice.cluster.NodeRequirement;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Holds the namespaceSelector of a registered webhook. The API server sends only pods of the selected namespaces to the
 * webhook.
 */
public record WebhookNamespaceFacts(List<NodeRequirement> requirements) {

    public static final WebhookNamespaceFacts ALL = new WebhookNamespaceFacts(List.of());

    /** The label with the name of the namespace, which the API server sets on each namespace. */
    private static final String NAME = "kubernetes.io/metadata.name";

    public WebhookNamespaceFacts {
        requirements = List.copyOf(requirements);
    }

    /** Returns the selector in words, such as {@code with gpu-webhook=enabled, without gpu-webhook=disabled}. */
    public String text() {
        return requirements.isEmpty()
                ? "all"
                : requirements.stream().map(WebhookNamespaceFacts::condition).collect(Collectors.joining(", "));
    }

    private static String condition(NodeRequirement requirement) {
        String values = String.join(" or ", requirement.values());
        boolean isName = requirement.key().equals(NAME);
        return switch (requirement.operator()) {
            case IN -> isName ? "named " + values : "with " + requirement.key() + "=" + values;
            case NOT_IN -> isName ? "not named " + values : "without " + requirement.key() + "=" + values;
            case EXISTS -> "with the label " + requirement.key();
            case DOES_NOT_EXIST -> "without the label " + requirement.key();
            case GT, LT, UNKNOWN -> "by a condition on " + requirement.key() + " that cannot be evaluated";
        };
    }
}
