package dev.sluice.cluster;

import dev.sluice.cluster.quantity.IntegerArithmetic;
import dev.sluice.text.TextWeight;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A requirement of a node selector term: the {@code key} of a label or a field, an operator, and values. It is
 * validated once, and its values are sorted for binary search, because every node is compared with them.
 */
public final class NodeRequirement {

    public enum Operator {
        IN,
        NOT_IN,
        EXISTS,
        DOES_NOT_EXIST,
        GT,
        LT,
        /** The operator is unknown to Kubernetes. A term with such a requirement matches no node. */
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

    private final String key;
    private final Operator operator;
    private final List<String> values;
    private final String[] sorted;
    private final boolean legalForLabels;

    public NodeRequirement(String key, Operator operator, List<String> values) {
        this.key = key;
        this.operator = operator;
        this.values = List.copyOf(values);
        this.sorted = values.toArray(new String[0]);
        Arrays.sort(sorted);
        this.legalForLabels = judgedForLabels();
    }

    /** Returns the requirement as text, such as {@code key In [a, b]} or {@code key Exists}. */
    String text() {
        String word = switch (operator) {
            case IN -> " In ";
            case NOT_IN -> " NotIn ";
            case EXISTS -> " Exists";
            case DOES_NOT_EXIST -> " DoesNotExist";
            case GT -> " Gt ";
            case LT -> " Lt ";
            case UNKNOWN -> " by an unknown operator";
        };
        return key + word + (values.isEmpty() ? "" : values);
    }

    public String key() {
        return key;
    }

    public Operator operator() {
        return operator;
    }

    public List<String> values() {
        return values;
    }

    long weight() {
        return TextWeight.of(key) + TextWeight.of(sorted);
    }

    /**
     * Returns true if {@code labels.NewRequirement} of apimachinery accepts the requirement. A term with any other
     * requirement matches no node.
     */
    public boolean isLegalForLabels() {
        return legalForLabels;
    }

    private boolean judgedForLabels() {
        return switch (operator) {
            case IN, NOT_IN -> !values.isEmpty() && values.stream().allMatch(NodeRequirement::isLabelValue);
            case EXISTS, DOES_NOT_EXIST -> values.isEmpty();
            case GT, LT ->
                values.size() == 1
                        && isLabelValue(values.getFirst())
                        && IntegerArithmetic.parse(values.getFirst()).isPresent();
            case UNKNOWN -> false;
        };
    }

    /**
     * Returns true if {@code IsValidLabelValue} of apimachinery accepts the text. A label value cannot begin with a
     * minus sign, so the bound of {@code Gt} and {@code Lt} cannot be negative.
     */
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

    /**
     * Returns true if the requirement is valid for a field. Kubernetes allows only {@code In} and {@code NotIn} with
     * one value for fields.
     */
    boolean isLegalForFields() {
        return values.size() == 1 && (operator == Operator.IN || operator == Operator.NOT_IN);
    }

    /** Returns true if this requirement on a field allows only one node, by its name. */
    boolean namesOneNode() {
        return key.equals("metadata.name") && operator == Operator.IN && isLegalForFields();
    }

    /**
     * Returns true if the labels meet the requirement, by the rules of apimachinery's {@code Requirement.Matches}. A
     * node without the label meets {@code NotIn}.
     */
    public boolean matches(Map<String, String> labels) {
        @Nullable String actual = labels.get(key);
        return switch (operator) {
            case IN -> actual != null && has(actual);
            case NOT_IN -> actual == null || !has(actual);
            case EXISTS -> actual != null;
            case DOES_NOT_EXIST -> actual == null;
            case GT, LT -> actual != null && comparesWith(actual);
            case UNKNOWN -> false;
        };
    }

    private boolean has(String actual) {
        return Arrays.binarySearch(sorted, actual) >= 0;
    }

    private boolean comparesWith(String actual) {
        OptionalLong label = IntegerArithmetic.parse(actual);
        OptionalLong bound = IntegerArithmetic.parse(values.getFirst());
        if (label.isEmpty() || bound.isEmpty()) {
            return false;
        }
        int order = Long.compare(label.getAsLong(), bound.getAsLong());
        return operator == Operator.GT ? order > 0 : order < 0;
    }

    /**
     * Returns true if a node with this name meets the requirement, which is an entry of {@code matchFields}. The only
     * field that Kubernetes supports there is {@code metadata.name}.
     */
    boolean matchesField(String nodeName) {
        String actual = key.equals("metadata.name") ? nodeName : "";
        return has(actual) == (operator == Operator.IN);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || (other instanceof NodeRequirement that
                        && operator == that.operator
                        && key.equals(that.key)
                        && values.equals(that.values));
    }

    @Override
    public int hashCode() {
        return 31 * (31 * key.hashCode() + operator.hashCode()) + values.hashCode();
    }

    @Override
    public String toString() {
        return key + " " + operator + " " + values;
    }
}
