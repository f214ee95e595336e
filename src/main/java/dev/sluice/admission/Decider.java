package dev.sluice.admission;

import dev.sluice.admission.request.GpuRequest;
import dev.sluice.admission.request.NamespacePolicy;
import dev.sluice.admission.request.PodRequest;
import dev.sluice.admission.request.Policy.Mode;
import dev.sluice.admission.verdict.Verdict;
import dev.sluice.admission.verdict.VerdictTrace;
import dev.sluice.cluster.ClusterExtendedResources;
import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.cluster.quantity.Amounts;
import java.util.Optional;

/**
 * Decides whether a pod is admitted, changed or denied. The same pod, policy and cluster always lead to the same
 * verdict.
 *
 * <p>Without a {@link FreeCapacity} parameter, a method decides by the Allocatable of the nodes. With this parameter,
 * the mode of the policy selects Allocatable or free capacity.
 */
public final class Decider {

    private Decider() {}

    public static Verdict decide(PodRequest pod, NamespacePolicy policy, ClusterSnapshot cluster) {
        return new DecisionTracer(byOffers(pod, policy, cluster)).judged();
    }

    public static Decision decide(
            PodRequest pod, NamespacePolicy policy, ClusterSnapshot cluster, FreeCapacity capacity) {
        FallbackSearch search = reserving(pod, policy, cluster, capacity);
        return new Decision(new DecisionTracer(search).judged(), search.claim());
    }

    public static VerdictTrace trace(PodRequest pod, NamespacePolicy policy, ClusterSnapshot cluster) {
        return new DecisionTracer(byOffers(pod, policy, cluster)).trace();
    }

    public static VerdictTrace trace(
            PodRequest pod, NamespacePolicy policy, ClusterSnapshot cluster, FreeCapacity capacity) {
        return new DecisionTracer(reserving(pod, policy, cluster, capacity)).trace();
    }

    private static FallbackSearch byOffers(PodRequest pod, NamespacePolicy policy, ClusterSnapshot cluster) {
        FallbackSearch search = new FallbackSearch(pod, policy, Mode.ALLOCATABLE, cluster, FreeCapacity.NONE);
        search.run();
        return search;
    }

    private static FallbackSearch reserving(
            PodRequest pod, NamespacePolicy policy, ClusterSnapshot cluster, FreeCapacity capacity) {
        Mode mode = policy.policy().mode();
        PodRequest judged = mode == Mode.AVAILABILITY ? pod.heldAgainstItsNode() : pod;
        FallbackSearch search = new FallbackSearch(judged, policy, mode, cluster, new CachedFreeCapacity(capacity));
        search.runUnlessNegative();
        return search;
    }

    /** Returns true if the pod requests a resource that the policy or the cluster treats as a GPU. */
    public static boolean asksForGpu(PodRequest pod, NamespacePolicy policy, ClusterExtendedResources claimed) {
        return !GpuRequest.of(pod, policy.policy(), claimed).resources().isEmpty();
    }

    /**
     * Returns the amounts that the pod would use on its node without any change by Sluice. All amounts are zero if the
     * pod has scheduling gates, because the scheduler does not place it yet. Returns empty if the pod requests no GPU.
     */
    public static Optional<Amounts> need(PodRequest pod, NamespacePolicy policy) {
        GpuRequest request = GpuRequest.of(pod, policy.policy());
        return request.resources().isEmpty()
                ? Optional.empty()
                : Optional.of(pod.gated() ? Amounts.NONE : FallbackCandidateDemand.asWritten(request));
    }
}
