package dev.sluice.quantity;

import java.util.function.Predicate;

/**
 * Amounts of resources that can be combined resource by resource; one that is not there counts as 0. Immutable.
 *
 * @param <A> the implementing type
 */
public interface ResourceArithmetic<A extends ResourceArithmetic<A>> {

    A plus(A other);

    A max(A other);

    /** These amounts, except for the resources that {@code others} has. */
    A replacedBy(A others);

    /** Only the resources that {@code wanted} accepts. */
    A only(Predicate<ResourceName> wanted);
}
