package dev.sluice.admission;

import dev.sluice.admission.patch.PodChange;
import dev.sluice.admission.patch.PodChange.Attempt;
import dev.sluice.admission.request.GpuRequest;
import dev.sluice.admission.request.Move;
import dev.sluice.admission.request.NamespacePolicy;
import dev.sluice.cluster.quantity.Amounts;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Calculates the total amount of each resource that a pod takes of its node after some moves, as kube-scheduler counts
 * it.
 */
final class TotalDemand {

    private final GpuRequest request;
    private final NamespacePolicy policy;
    /** The total amounts after injection, by moves. The value is empty if injection refuses the pod. */
    private final Map<List<Move>, Optional<Amounts>> injected;
    /**
     * The last attempt. Earlier attempts are not kept, because they would fill the memory, and the patch is made from
     * the last one.
     */
    private @Nullable Attempt last;

    private List<Move> lastMoves = List.of();
    /**
     * The amounts that the pod as written takes in addition to its GPUs. Without injection, moves do not change them.
     */
    private @Nullable Amounts rest;

    TotalDemand(GpuRequest request, NamespacePolicy policy) {
        this.request = request;
        this.policy = policy;
        this.injected = isInjected() ? new HashMap<>(2) : Map.of();
    }

    private boolean isInjected() {
        return request.pod().annotations().gpuType() != null;
    }

    /**
     * Returns the change that carries out these moves and injects the resources for the GPUs that the pod has after
     * them.
     */
    Attempt attempt(List<Move> moves) {
        if (last == null || !lastMoves.equals(moves)) {
            last = PodChange.attempt(request, moves, policy);
            lastMoves = moves;
        }
        return last;
    }

    /** Returns the total amounts after these moves; empty if injection refuses the pod. */
    Optional<Amounts> after(List<Move> moves) {
        return isInjected()
                ? injected.computeIfAbsent(moves, this::withInjection)
                : Optional.of(withoutInjection(moves));
    }

    private Optional<Amounts> withInjection(List<Move> moves) {
        return switch (attempt(moves)) {
            case Attempt.ChangeRefused _ -> Optional.empty();
            case Attempt.PodChanged(PodChange change) ->
                Optional.of(asWritten(GpuRequest.of(change.after(), request.isGpu())));
        };
    }

    Amounts withoutInjection(List<Move> moves) {
        return rest().plus(request.need(Move.given(moves)));
    }

    /** Returns the amounts that the pod as written takes in addition to its GPUs. */
    Amounts rest() {
        if (rest == null) {
            rest = request.rest();
        }
        return rest;
    }

    static Amounts asWritten(GpuRequest request) {
        return request.rest().plus(request.need(name -> name));
    }
}
