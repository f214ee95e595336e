package dev.sluice.cluster;

import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ExactAmounts;
import dev.sluice.cluster.quantity.ResourceArithmetic;
import dev.sluice.cluster.quantity.ResourceName;

/**
 * Calculates the requests of a pod as the scheduler does (component-helpers {@code resource/helpers.go}):
 *
 * <ol>
 *   <li>The requests of main containers and sidecars are added, because they run at the same time.
 *   <li>Each init container runs at the same time as the sidecars before it, so their requests are added. The result is
 *       the maximum of all these sums and of the sum of step 1.
 *   <li>Pod-level requests replace the result, but only for cpu, memory and hugepages.
 *   <li>The overhead is added last.
 * </ol>
 *
 * The caller has to add the entries of {@code containers} and those of {@code initContainers}, each in their order.
 *
 * @param <A> {@link ExactAmounts} to round the sum once as the scheduler does, or {@link Amounts} to add integers
 */
public final class PodRequests<A extends ResourceArithmetic<A>> {

    private A together;
    private A runningSidecars;
    private A largestInit;

    private PodRequests(A none) {
        together = none;
        runningSidecars = none;
        largestInit = none;
    }

    /**
     * Returns an instance that adds whole numbers. It must not be used for fractions, because it would round the amount
     * of each container.
     */
    public static PodRequests<Amounts> ofWhole() {
        return new PodRequests<>(Amounts.NONE);
    }

    public static PodRequests<ExactAmounts> exact() {
        return new PodRequests<>(ExactAmounts.NONE);
    }

    public void add(PodContainerKind kind, A requests) {
        switch (kind) {
            case MAIN -> together = together.plus(requests);
            case SIDECAR -> {
                together = together.plus(requests);
                runningSidecars = runningSidecars.plus(requests);
                largestInit = largestInit.max(runningSidecars);
            }
            case INIT -> largestInit = largestInit.max(requests.plus(runningSidecars));
        }
    }

    public A total(A podLevel, A overhead) {
        return together.max(largestInit)
                .replacedBy(podLevel.only(PodRequests::canBePodLevel))
                .plus(overhead);
    }

    /** Returns true if pods can request the resource at pod level. Extended resources never can (KEP-2837). */
    public static boolean canBePodLevel(ResourceName name) {
        return name.equals(ResourceName.CPU)
                || name.equals(ResourceName.MEMORY)
                || name.value().startsWith("hugepages-");
    }
}
