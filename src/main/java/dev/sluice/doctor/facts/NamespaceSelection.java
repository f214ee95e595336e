package dev.sluice.doctor.facts;

import dev.sluice.cluster.NodeRequirement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The namespaces about whose pods the API server asks a webhook: the namespaceSelector of its registration. */
public record NamespaceSelection(List<NodeRequirement> requirements) {

    public static final NamespaceSelection ALL = new NamespaceSelection(List.of());

    /** The label with the name of the namespace, which the API server sets on each namespace. */
    private static final String NAME = "kubernetes.io/metadata.name";

    public NamespaceSelection {
        requirements = List.copyOf(requirements);
    }

    /**
     * Returns why the API server does not ask about pods of this namespace, as a clause such as "its label x is y".
     * Returns empty if it asks.
     *
     * @param labels the labels of the namespace
     */
    public Optional<String> exclusion(String namespace, Map<String, String> labels) {
        return requirements.stream()
                .filter(requirement -> requirement.key().equals(NAME)
                        ? !requirement.matches(Map.of(NAME, namespace))
                        : !requirement.matches(labels))
                .findFirst()
                .map(requirement -> requirement.key().equals(NAME)
                        ? "its name is excluded"
                        : clause(requirement, labels.get(requirement.key())));
    }

    /** Returns the same, where the labels of the namespace are not known. Only its name is compared. */
    public Optional<String> exclusionByName(String namespace) {
        return new NamespaceSelection(requirements.stream()
                        .filter(requirement -> requirement.key().equals(NAME))
                        .toList())
                .exclusion(namespace, Map.of());
    }

    private static String clause(NodeRequirement requirement, @Nullable String value) {
        return (value == null
                        ? "it has no label " + requirement.key()
                        : "its label " + requirement.key() + " is " + value)
                + ", and the webhook is registered for namespaces " + condition(requirement);
    }

    /** Returns the condition on namespaces, such as {@code with gpu-webhook=enabled, without gpu-webhook=disabled}. */
    public String text() {
        return requirements.isEmpty()
                ? "all"
                : requirements.stream().map(NamespaceSelection::condition).collect(Collectors.joining(", "));
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
