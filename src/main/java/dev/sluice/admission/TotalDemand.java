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

/** All that a pod takes of its node, of every resource that kube-scheduler counts, after some moves. */
final class TotalDemand {

    private final GpuRequest request;
    private final NamespacePolicy policy;
    /** By moves; empty if injection refuses the pod. */
    private final Map<List<Move>, Optional<Amounts>> injected;
    /**
     * Only the last attempt is kept: the search ends with the one that makes the patch, and all of them would fill the
     * memory.
     */
    private @Nullable Attempt last;

    private List<Move> lastMoves = List.of();
    /** What the pod takes besides its GPUs; without injection this is the same after all moves. */
    private @Nullable Amounts rest;

    TotalDemand(GpuRequest request, NamespacePolicy policy) {
        this.request = request;
        this.policy = policy;
        this.injected = isInjected() ? new HashMap<>(2) : Map.of();
    }

    private boolean isInjected() {
        return request.pod().annotations().gpuType() != null;
    }

    /** The change that carries out these moves and injects what goes with the GPUs that the pod has then. */
    Attempt attempt(List<Move> moves) {
        if (last == null || !lastMoves.equals(moves)) {
            last = PodChange.attempt(request, moves, policy);
            lastMoves = moves;
        }
        return last;
    }

    /** Empty if injection refuses the pod after these moves. */
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

    /** What the pod takes besides its GPUs, as it is written. */
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
