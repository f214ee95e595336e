package dev.sluice.cluster;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** One line of a node selector term: a label (or field) {@code key}, an operator and its values. */
public record NodeRequirement(String key, Operator operator, List<String> values) {

    public enum Operator {
        IN,
        NOT_IN,
        EXISTS,
        DOES_NOT_EXIST,
        GT,
        LT,
        /** Makes its whole term match nothing. */
        UNKNOWN;

        public static Operator of(String text) {
            return switch (text) {
                case "In" -> IN;
                case "NotIn" -> NOT_IN;
                case "Exists" -> EXISTS;
                case "DoesNotExist" -> DOES_NOT_EXIST;
                case "Gt" -> GT;
                case "Lt" -> LT;
                default -> UNKNOWN;
            };
        }
    }

    private static final int LONGEST_LABEL_VALUE = 63;

    public NodeRequirement {
        values = List.copyOf(values);
    }

    long weight() {
        return Weights.of(key) + Weights.of(values.toArray(new String[0]));
    }

    /** What apimachinery's {@code labels.NewRequirement} accepts; a term with any other requirement matches nothing. */
    boolean isLegalForLabels() {
        return switch (operator) {
            case IN, NOT_IN -> !values.isEmpty() && areLabelValues(values);
            case EXISTS, DOES_NOT_EXIST -> values.isEmpty();
            case GT, LT ->
                values.size() == 1
                        && isLabelValue(values.getFirst())
                        && Integers.parse(values.getFirst()).isPresent();
            case UNKNOWN -> false;
        };
    }

    private static boolean areLabelValues(List<String> texts) {
        for (String text : texts) {
            if (!isLabelValue(text)) {
                return false;
            }
        }
        return true;
    }

    /** {@code IsValidLabelValue}: so {@code Gt} and {@code Lt} know no negative bounds. */
    private static boolean isLabelValue(String text) {
        if (text.length() > LONGEST_LABEL_VALUE) {
            return false;
        }
        int last = text.length() - 1;
        for (int i = 0; i <= last; i++) {
            char c = text.charAt(i);
            boolean inside = i > 0 && i < last && (c == '_' || c == '.' || c == '-');
            if (!inside && !isLetterOrDigit(c)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isLetterOrDigit(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    }

    /** Fields can only be equal to one value or different from it. */
    boolean isLegalForFields() {
        return values.size() == 1 && (operator == Operator.IN || operator == Operator.NOT_IN);
    }

    /** On a field: only the node of this name can match. */
    boolean namesOneNode() {
        return key.equals("metadata.name") && operator == Operator.IN && isLegalForFields();
    }

    /** As apimachinery's {@code Requirement.Matches}: a missing label satisfies {@code NotIn}. */
    boolean matches(Map<String, String> labels) {
        @Nullable String actual = labels.get(key);
        return switch (operator) {
            case IN -> actual != null && values.contains(actual);
            case NOT_IN -> actual == null || !values.contains(actual);
            case EXISTS -> actual != null;
            case DOES_NOT_EXIST -> actual == null;
            case GT, LT -> actual != null && comparesWith(actual);
            case UNKNOWN -> false;
        };
    }

    private boolean comparesWith(String actual) {
        OptionalLong label = Integers.parse(actual);
        OptionalLong bound = Integers.parse(values.getFirst());
        if (label.isEmpty() || bound.isEmpty()) {
            return false;
        }
        int order = Long.compare(label.getAsLong(), bound.getAsLong());
        return operator == Operator.GT ? order > 0 : order < 0;
    }

    /** For {@code matchFields}, where {@code metadata.name} is the only field a node has. */
    boolean matchesField(String nodeName) {
        String actual = key.equals("metadata.name") ? nodeName : "";
        return values.contains(actual) == (operator == Operator.IN);
    }
}
