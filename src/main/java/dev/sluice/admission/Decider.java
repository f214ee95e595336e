package dev.sluice.admission;

import dev.sluice.admission.request.GpuRequest;
import dev.sluice.admission.request.NamespacePolicy;
import dev.sluice.admission.request.PodRequest;
import dev.sluice.admission.request.Policy.Mode;
import dev.sluice.admission.verdict.Trace;
import dev.sluice.admission.verdict.Verdict;
import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.cluster.quantity.Amounts;
import java.util.Optional;

/**
 * Decides what becomes of a pod. The same pod, policy and cluster always give the same verdict.
 *
 * <p>A decision by offers reads what nodes offer. A decision that reserves follows the mode of the policy, and says
 * what is to be reserved for the pod. The trace of either is the verdict with what its search has found.
 */
public final class Decider {

    private Decider() {}

    public static Verdict decide(PodRequest pod, NamespacePolicy policy, ClusterSnapshot cluster) {
        return new Tracer(byOffers(pod, policy, cluster)).judged();
    }

    public static Decision decide(
            PodRequest pod, NamespacePolicy policy, ClusterSnapshot cluster, FreeCapacity capacity) {
        Search search = reserving(pod, policy, cluster, capacity);
        return new Decision(new Tracer(search).judged(), search.claim());
    }

    public static Trace trace(PodRequest pod, NamespacePolicy policy, ClusterSnapshot cluster) {
        return new Tracer(byOffers(pod, policy, cluster)).trace();
    }

    public static Trace trace(PodRequest pod, NamespacePolicy policy, ClusterSnapshot cluster, FreeCapacity capacity) {
        return new Tracer(reserving(pod, policy, cluster, capacity)).trace();
    }

    private static Search byOffers(PodRequest pod, NamespacePolicy policy, ClusterSnapshot cluster) {
        Search search = new Search(pod, policy, Mode.ALLOCATABLE, cluster, FreeCapacity.NONE);
        search.run();
        return search;
    }

    private static Search reserving(
            PodRequest pod, NamespacePolicy policy, ClusterSnapshot cluster, FreeCapacity capacity) {
        Mode mode = policy.policy().mode();
        PodRequest judged = mode == Mode.AVAILABILITY ? pod.heldAgainstItsNode() : pod;
        Search search = new Search(judged, policy, mode, cluster, new CachedFreeCapacity(capacity));
        search.runUnlessNegative();
        return search;
    }

    /** Whether the pod asks for what the policy calls a GPU. */
    public static boolean asksForGpu(PodRequest pod, NamespacePolicy policy) {
        return !GpuRequest.of(pod, policy.policy()).resources().isEmpty();
    }

    /** What a pod takes of its node as it is, nothing while it is gated; empty where it asks for no GPU. */
    public static Optional<Amounts> need(PodRequest pod, NamespacePolicy policy) {
        GpuRequest request = GpuRequest.of(pod, policy.policy());
        return request.resources().isEmpty()
                ? Optional.empty()
                : Optional.of(pod.gated() ? Amounts.NONE : TotalDemand.asWritten(request));
    }
}
