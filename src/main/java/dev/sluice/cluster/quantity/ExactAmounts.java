package dev.sluice.cluster.quantity;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Exact quantities of resources. The scheduler adds the quantities of a pod exactly and rounds only the sum. For
 * example, two containers that each request {@code 500m} bytes of memory together request one byte, not two bytes.
 */
public final class ExactAmounts implements ResourceArithmetic<ExactAmounts> {

    public static final ExactAmounts NONE = new ExactAmounts(Map.of());

    private final Map<ResourceName, Quantity> quantities;

    private ExactAmounts(Map<ResourceName, Quantity> quantities) {
        this.quantities = quantities;
    }

    /** Creates the amounts from a map, which must not be changed afterwards. Null means no amounts. */
    public static ExactAmounts of(@Nullable Map<ResourceName, Quantity> quantities) {
        return quantities == null || quantities.isEmpty() ? NONE : new ExactAmounts(quantities);
    }

    /** Returns the same resources, each with the quantity 0. */
    public ExactAmounts zeros() {
        Map<ResourceName, Quantity> zeros = new HashMap<>();
        quantities.keySet().forEach(name -> zeros.put(name, Quantity.ZERO));
        return new ExactAmounts(zeros);
    }

    public boolean has(ResourceName name) {
        return quantities.containsKey(name);
    }

    public Set<ResourceName> names() {
        // The names are not copied into a new set: users could choose names with the same hash code to make the copying
        // slow.
        return Collections.unmodifiableSet(quantities.keySet());
    }

    public boolean isEmpty() {
        return quantities.isEmpty();
    }

    public boolean hasNegative() {
        for (Quantity quantity : quantities.values()) {
            if (quantity.isNegative()) {
                return true;
            }
        }
        return false;
    }

    @Override
    public ExactAmounts plus(ExactAmounts other) {
        return merge(other, Quantity::plus);
    }

    @Override
    public ExactAmounts max(ExactAmounts other) {
        return merge(other, (a, b) -> a.compareTo(b) < 0 ? b : a);
    }

    @Override
    public ExactAmounts replacedBy(ExactAmounts others) {
        return merge(others, (_, other) -> other);
    }

    private ExactAmounts merge(ExactAmounts other, BinaryOperator<Quantity> combine) {
        if (other.isEmpty()) {
            return this;
        }
        if (isEmpty()) {
            return other;
        }
        Map<ResourceName, Quantity> merged = new HashMap<>(quantities);
        other.quantities.forEach((name, quantity) -> merged.merge(name, quantity, combine));
        return new ExactAmounts(merged);
    }

    @Override
    public ExactAmounts only(Predicate<ResourceName> wanted) {
        if (isEmpty()) {
            return this;
        }
        Map<ResourceName, Quantity> kept = new HashMap<>(quantities);
        return kept.keySet().removeIf(wanted.negate()) ? of(kept) : this;
    }

    /** Returns the amounts in the units of kube-scheduler, rounded up. */
    public Amounts rounded() {
        return Amounts.of(quantities);
    }
}
