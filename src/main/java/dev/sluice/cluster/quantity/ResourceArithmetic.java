package dev.sluice.cluster.quantity;

import java.util.function.Predicate;

/**
 * Immutable amounts with operations that treat each resource separately. A missing resource counts as 0.
 *
 * @param <A> the implementing type
 */
public interface ResourceArithmetic<A extends ResourceArithmetic<A>> {

    A plus(A other);

    A max(A other);

    /** Returns a copy in which the amounts in {@code others} replace the amounts of the same resources. */
    A replacedBy(A others);

    A only(Predicate<ResourceName> wanted);
}
