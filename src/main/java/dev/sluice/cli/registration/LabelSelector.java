package dev.sluice.cli.registration;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** A label selector of a webhook. It tells whether it selects an object, and describes itself in words. */
public record LabelSelector(List<Requirement> requirements) {

    /** The label that the API server gives each namespace. Its value is the name of the namespace. */
    private static final String NAME = "kubernetes.io/metadata.name";

    /** A requirement for one label, with an operator of Kubernetes. */
    public record Requirement(String key, String operator, List<String> values) {

        boolean allows(Map<String, String> labels) {
            String value = labels.get(key);
            return switch (operator) {
                case "In" -> value != null && values.contains(value);
                case "NotIn" -> value == null || !values.contains(value);
                case "Exists" -> value != null;
                case "DoesNotExist" -> value == null;
                // A newer API server may have an operator that this release does not know. It is then unknown which
                // objects the selector selects.
                default -> true;
            };
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

    public LabelSelector {
        requirements = List.copyOf(requirements);
    }

    static LabelSelector of(JsonNode selector) {
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
        return new LabelSelector(all);
    }

    /** Returns the labels of an object. */
    public static Map<String, String> labels(JsonNode object) {
        Map<String, String> labels = new TreeMap<>();
        object.path("metadata")
                .path("labels")
                .properties()
                .forEach(label -> labels.put(label.getKey(), label.getValue().asText()));
        return labels;
    }

    public boolean selects(Map<String, String> labels) {
        return requirements.stream().allMatch(requirement -> requirement.allows(labels));
    }

    /** Returns the first requirement that these labels do not meet, in words; an empty text if they meet all. */
    public String unmet(Map<String, String> labels) {
        return requirements.stream()
                .filter(requirement -> !requirement.allows(labels))
                .map(Requirement::words)
                .findFirst()
                .map(String::strip)
                .orElse("");
    }

    /**
     * Returns, as a clause, why this selector of namespaces does not select a namespace. If the labels of the namespace
     * are not known, only its name is compared.
     */
    Optional<String> exclusion(String namespace, Optional<Map<String, String>> labels) {
        Map<String, String> all = new HashMap<>(labels.orElse(Map.of()));
        all.put(NAME, namespace);
        return requirements.stream()
                .filter(requirement -> labels.isPresent() || requirement.key().equals(NAME))
                .filter(requirement -> !requirement.allows(all))
                .findFirst()
                .map(requirement -> requirement.key().equals(NAME)
                        ? "its name is excluded"
                        : clause("it", "its", all, requirement, "namespaces"));
    }

    /**
     * Returns, as a clause, why this selector of objects does not select a pod. If a controller creates the pods, it
     * may add labels that the template does not have.
     */
    Optional<String> exclusion(PodToCreate pod) {
        Map<String, String> labels = labels(pod.object());
        return requirements.stream()
                .filter(requirement -> !requirement.allows(labels))
                .findFirst()
                .map(requirement -> !pod.isOfTemplate()
                        ? clause("it", "its", labels, requirement, "pods")
                        : clause("the template", "the template's", labels, requirement, "pods")
                                + (labels.containsKey(requirement.key())
                                        ? ""
                                        : " (if the controller adds the label, the API server asks)"));
    }

    private static String clause(
            String subject, String whose, Map<String, String> labels, Requirement unmet, String objects) {
        String value = labels.get(unmet.key());
        return (value == null
                        ? subject + " has no label " + unmet.key()
                        : whose + " label " + unmet.key() + " is " + value)
                + ", and the webhook is registered for " + objects + unmet.words();
    }

    /** Returns a set of labels that this selector selects. There is none if the requirements contradict each other. */
    public Map<String, String> exampleLabels() {
        Map<String, String> labels = new TreeMap<>();
        for (Requirement requirement : requirements) {
            switch (requirement.operator()) {
                case "In" ->
                    labels.put(
                            requirement.key(),
                            requirement.values().stream().findFirst().orElse(""));
                case "Exists" -> labels.putIfAbsent(requirement.key(), "");
                default -> {}
            }
        }
        return labels;
    }

    /** Returns a label that every selected object must have; empty if there is none. */
    public Optional<String> wantedLabel() {
        return requirements.stream()
                .filter(one -> !one.key().equals(NAME))
                .filter(one -> one.operator().equals("Exists") || one.operator().equals("In"))
                .map(one -> one.key() + "=" + one.values().stream().findFirst().orElse("enabled"))
                .findFirst();
    }

    /** Returns the selected objects in words, for example {@code all namespaces except kube-system}. */
    public String words(String objects) {
        StringBuilder words = new StringBuilder("all ").append(objects);
        // The names come last, because they are long.
        Stream.concat(
                        requirements.stream().filter(one -> !Objects.equals(one.key(), NAME)),
                        requirements.stream().filter(one -> Objects.equals(one.key(), NAME)))
                .map(Requirement::words)
                .forEach(clause -> words.append(words.length() > objects.length() + 4 ? "," : "")
                        .append(clause));
        return words.toString();
    }
}
