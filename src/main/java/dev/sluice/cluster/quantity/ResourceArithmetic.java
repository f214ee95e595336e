package dev.sluice.cluster.quantity;

import java.util.function.Predicate;

/**
 * Immutable amounts that are combined resource by resource; a missing resource counts as 0.
 *
 * @param <A> the implementing type
 */
public interface ResourceArithmetic<A extends ResourceArithmetic<A>> {

    A plus(A other);

    A max(A other);

    /** These amounts, with those of {@code others} in their place where it has the resource. */
    A replacedBy(A others);

    A only(Predicate<ResourceName> wanted);
}
