package dev.sluice.cluster;

import dev.sluice.cluster.quantity.IntegerArithmetic;
import java.util.Locale;
import java.util.OptionalLong;

/**
 * A pod's toleration. An empty {@code key} matches every key, and an empty {@code effect} matches every effect.
 *
 * <p>The operators are those of {@code ToleratesTaint} (k8s.io/api core/v1) in Kubernetes 1.36. {@code Lt} and
 * {@code Gt} are always evaluated. A cluster that has not enabled them has no pods that use them, because its API
 * server rejects such pods.
 */
public record Toleration(String key, TolerationOperator operator, String value, String effect) {

    static final Toleration EVERYTHING = new Toleration("", TolerationOperator.EXISTS, "", "");

    public enum TolerationOperator {
        EQUAL,
        EXISTS,
        LT,
        GT,
        /** The operator is unknown to Kubernetes. Such a toleration tolerates no taint. */
        UNKNOWN;

        public static TolerationOperator of(String text) {
            return switch (text) {
                case "", "Equal" -> EQUAL;
                case "Exists" -> EXISTS;
                case "Lt" -> LT;
                case "Gt" -> GT;
                default -> UNKNOWN;
            };
        }
    }

    public boolean tolerates(Taint taint) {
        if (!effect.isEmpty() && !effect.equals(taint.effect().text())) {
            return false;
        }
        if (!key.isEmpty() && !key.equals(taint.key())) {
            return false;
        }
        return switch (operator) {
            case EQUAL -> value.equals(taint.value());
            case EXISTS -> true;
            case LT, GT -> comparesWith(taint.value());
            case UNKNOWN -> false;
        };
    }

    /**
     * Compares the values as numbers. For {@code Lt}, the value of the taint must be less than the value of the
     * toleration. For {@code Gt}, the value of the taint must be greater.
     */
    private boolean comparesWith(String taintValue) {
        OptionalLong own = IntegerArithmetic.canonical(value);
        OptionalLong taints = IntegerArithmetic.canonical(taintValue);
        if (own.isEmpty() || taints.isEmpty()) {
            return false;
        }
        int order = Long.compare(taints.getAsLong(), own.getAsLong());
        return operator == TolerationOperator.LT ? order < 0 : order > 0;
    }

    @Override
    public String toString() {
        String told = operator == TolerationOperator.EQUAL
                ? value.isEmpty() ? "" : "=" + value
                : " " + operator.name().toLowerCase(Locale.ROOT) + (value.isEmpty() ? "" : " " + value);
        return key + told + (effect.isEmpty() ? "" : ":" + effect);
    }
}
