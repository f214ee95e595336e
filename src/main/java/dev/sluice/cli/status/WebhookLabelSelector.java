package dev.sluice.cli.status;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A label selector of a webhook. This class decides whether the selector selects an object, and describes the selector
 * in words.
 */
record WebhookLabelSelector(List<Requirement> requirements) {

    /** The label that the API server gives each namespace. Its value is the name of the namespace. */
    private static final String NAME = "kubernetes.io/metadata.name";

    /** A requirement for one label, with an operator of Kubernetes. */
    record Requirement(String key, String operator, List<String> values) {

        boolean allows(Map<String, String> labels) {
            String value = labels.get(key);
            return switch (operator) {
                case "In" -> value != null && values.contains(value);
                case "NotIn" -> value == null || !values.contains(value);
                case "Exists" -> value != null;
                case "DoesNotExist" -> value == null;
                // A newer API server may have an operator that this release does not know. The requirement then counts
                // as met, because it is unknown which labels the operator allows.
                default -> true;
            };
        }

        /** Returns true if an object must have the label to be selected. */
        private boolean wantsLabel() {
            return operator.equals("In") || operator.equals("Exists");
        }

        private String words() {
            String listed = String.join(", ", values);
            if (key.equals(NAME)) {
                return (operator.equals("NotIn") ? " except " : " named ") + listed;
            }
            return switch (operator) {
                case "In" -> " with the label " + key + "=" + String.join("|", values);
                case "NotIn" -> " without the label " + key + "=" + String.join("|", values);
                case "Exists" -> " with the label " + key;
                case "DoesNotExist" -> " without the label " + key;
                default -> " with the label " + key + " " + operator + " " + listed;
            };
        }
    }

    WebhookLabelSelector {
        requirements = List.copyOf(requirements);
    }

    static WebhookLabelSelector of(JsonNode selector) {
        List<Requirement> all = new ArrayList<>();
        selector.path("matchLabels")
                .properties()
                .forEach(label -> all.add(new Requirement(
                        label.getKey(), "In", List.of(label.getValue().asText()))));
        selector.path("matchExpressions")
                .forEach(expression -> all.add(new Requirement(
                        expression.path("key").asText(),
                        expression.path("operator").asText(),
                        expression
                                .path("values")
                                .valueStream()
                                .map(JsonNode::asText)
                                .toList())));
        return new WebhookLabelSelector(all);
    }

    /** Returns the labels of an object. */
    static Map<String, String> labels(JsonNode object) {
        Map<String, String> labels = new TreeMap<>();
        object.path("metadata")
                .path("labels")
                .properties()
                .forEach(label -> labels.put(label.getKey(), label.getValue().asText()));
        return labels;
    }

    boolean selects(Map<String, String> labels) {
        return requirements.stream().allMatch(requirement -> requirement.allows(labels));
    }

    /**
     * Returns, in words, the requirements of the selector that these labels do not meet. Returns an empty text if the
     * labels meet all requirements.
     */
    String unmet(Map<String, String> labels) {
        return requirements.stream()
                .filter(requirement -> !requirement.allows(labels))
                .map(requirement -> requirement.words().strip())
                .distinct()
                .collect(Collectors.joining(", "));
    }

    /**
     * Returns a clause with the reason why this namespaceSelector does not select the namespace. Returns empty if it
     * selects the namespace. If the labels of the namespace are not known, only requirements for its name are checked.
     *
     * @param webhook how the clause names the webhook
     */
    Optional<String> exclusion(String namespace, Optional<Map<String, String>> labels, String webhook) {
        Map<String, String> all = new HashMap<>(labels.orElse(Map.of()));
        all.put(NAME, namespace);
        return requirements.stream()
                .filter(requirement -> labels.isPresent() || requirement.key().equals(NAME))
                .filter(requirement -> !requirement.allows(all))
                .findFirst()
                .map(requirement -> requirement.key().equals(NAME)
                        ? "its name is excluded by " + webhook
                        : clause("it", "its", all, requirement, webhook + " is registered for namespaces"));
    }

    /**
     * Returns a clause with the reason why this objectSelector does not select the pod. Returns empty if it selects the
     * pod. If a controller creates the pod, the controller may add labels that the template does not have, and the
     * clause says so.
     *
     * @param webhook how the clause names the webhook
     */
    Optional<String> exclusion(PodAskedAbout pod, String webhook) {
        String registered = webhook + " is registered for pods";
        Map<String, String> labels = labels(pod.object());
        return requirements.stream()
                .filter(requirement -> !requirement.allows(labels))
                .findFirst()
                .map(requirement -> !pod.isOfTemplate()
                        ? clause("it", "its", labels, requirement, registered)
                        : clause("the template", "the template's", labels, requirement, registered)
                                + (labels.containsKey(requirement.key())
                                        ? ""
                                        : " (if the controller adds the label, the API server asks)"));
    }

    private static String clause(
            String subject, String whose, Map<String, String> labels, Requirement unmet, String registered) {
        String value = labels.get(unmet.key());
        return (value == null
                        ? subject + " has no label " + unmet.key()
                        : whose + " label " + unmet.key() + " is " + value)
                + ", and " + registered + unmet.words();
    }

    /**
     * Returns example labels that the selector selects. If no labels can meet all requirements, the returned labels do
     * not meet them either.
     */
    Map<String, String> exampleLabels() {
        Map<String, String> labels = new TreeMap<>();
        requirements.stream()
                .filter(Requirement::wantsLabel)
                .forEach(one -> allowedValue(one.key()).ifPresent(value -> labels.put(one.key(), value)));
        return labels;
    }

    /**
     * Returns a value of the label {@code key} that all requirements for this label allow. Returns empty if no such
     * value was found.
     */
    private Optional<String> allowedValue(String key) {
        List<Requirement> about = requirements.stream()
                .filter(one -> Objects.equals(one.key(), key))
                .toList();
        return Stream.concat(
                        about.stream()
                                .filter(one -> one.operator().equals("In"))
                                .flatMap(one -> one.values().stream()),
                        Stream.of("enabled", "yes"))
                .filter(value -> about.stream().allMatch(one -> one.allows(Map.of(key, value))))
                .findFirst();
    }

    /**
     * Returns how to change the labels of a namespace so that this selector selects it, as arguments of {@code kubectl
     * label}. Returns empty if the namespace is selected already. Also returns empty if no change of labels helps, for
     * example because the selector excludes the namespace by its name.
     */
    Optional<String> change(Map<String, String> labels) {
        List<String> keys = requirements.stream()
                .filter(one -> !one.allows(labels))
                .map(Requirement::key)
                .distinct()
                .toList();
        List<String> arguments = new ArrayList<>();
        for (String key : keys) {
            boolean isWanted =
                    requirements.stream().anyMatch(one -> one.wantsLabel() && Objects.equals(one.key(), key));
            Optional<String> value = isWanted ? allowedValue(key) : Optional.of("");
            if (key.equals(NAME) || value.isEmpty()) {
                return Optional.empty();
            }
            arguments.add(isWanted ? key + "=" + value.get() : key + "-");
            if (isWanted && labels.containsKey(key)) {
                arguments.add("--overwrite");
            }
        }
        return arguments.isEmpty()
                ? Optional.empty()
                : Optional.of(arguments.stream().distinct().collect(Collectors.joining(" ")));
    }

    /** Returns the selected objects in words, for example {@code all namespaces except kube-system}. */
    String words(String objects) {
        StringBuilder words = new StringBuilder("all ").append(objects);
        // Requirements for the names of namespaces come last, because their texts are long.
        Stream.concat(
                        requirements.stream().filter(one -> !Objects.equals(one.key(), NAME)),
                        requirements.stream().filter(one -> Objects.equals(one.key(), NAME)))
                .map(Requirement::words)
                .forEach(clause -> words.append(words.length() > objects.length() + 4 ? "," : "")
                        .append(clause));
        return words.toString();
    }
}
