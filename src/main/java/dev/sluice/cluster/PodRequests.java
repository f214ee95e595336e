package dev.sluice.cluster;

import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ExactAmounts;
import dev.sluice.cluster.quantity.ResourceArithmetic;
import dev.sluice.cluster.quantity.ResourceName;

/**
 * Sums up a pod's requests as the scheduler does (component-helpers {@code resource/helpers.go}):
 *
 * <ol>
 *   <li>main containers and sidecars run together, so they are added;
 *   <li>each init container runs beside the sidecars before it, and the largest of these sums counts;
 *   <li>pod-level requests replace the result, for cpu, memory and hugepages only;
 *   <li>the overhead is added last.
 * </ol>
 *
 * Main containers, and init containers, have to be added in their order in the pod.
 *
 * @param <A> {@link ExactAmounts}, to round once as the scheduler does, or {@link Amounts} of integers
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

    /** For integers: fractions would be rounded for each container. */
    public static PodRequests<Amounts> ofWhole() {
        return new PodRequests<>(Amounts.NONE);
    }

    public static PodRequests<ExactAmounts> exact() {
        return new PodRequests<>(ExactAmounts.NONE);
    }

    public void add(ContainerKind kind, A requests) {
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

    /** KEP-2837: never extended resources. */
    public static boolean canBePodLevel(ResourceName name) {
        return name.equals(ResourceName.CPU)
                || name.equals(ResourceName.MEMORY)
                || name.value().startsWith("hugepages-");
    }
}
