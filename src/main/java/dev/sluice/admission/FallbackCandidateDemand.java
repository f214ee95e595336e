package dev.sluice.admission;

import dev.sluice.admission.patch.PodPatch;
import dev.sluice.admission.patch.PodPatch.Attempt;
import dev.sluice.admission.request.GpuRequest;
import dev.sluice.admission.request.NamespacePolicy;
import dev.sluice.admission.request.PodRequestReplacement;
import dev.sluice.cluster.quantity.Amounts;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Calculates the amounts that a pod uses on its node after some of its resources are replaced by fallbacks. The result
 * contains all resources, counted by the rules of kube-scheduler.
 */
final class FallbackCandidateDemand {

    private final GpuRequest request;
    private final NamespacePolicy policy;
    /**
     * Maps a list of replacements to the amounts after these replacements and the injection. The value is empty if the
     * injection rules refuse the pod.
     */
    private final Map<List<PodRequestReplacement>, Optional<Amounts>> injected;
    /**
     * The result of the last call of {@link #attempt}. The patch is created from it. Earlier results are not kept,
     * because they would take too much memory.
     */
    private @Nullable Attempt last;

    private List<PodRequestReplacement> lastMoves = List.of();
    /**
     * The amounts of all resources except GPUs, before any change of the pod. Injection may change these amounts, but
     * replacements do not. Null until the amounts are first needed.
     */
    private @Nullable Amounts rest;

    FallbackCandidateDemand(GpuRequest request, NamespacePolicy policy) {
        this.request = request;
        this.policy = policy;
        this.injected = isInjected() ? new HashMap<>(2) : Map.of();
    }

    private boolean isInjected() {
        return request.pod().annotations().gpuType() != null;
    }

    /**
     * Returns the result of these replacements and of the injection that follows them: the changed pod, or a refusal.
     */
    Attempt attempt(List<PodRequestReplacement> moves) {
        if (last == null || !lastMoves.equals(moves)) {
            last = PodPatch.attempt(request, moves, policy);
            lastMoves = moves;
        }
        return last;
    }

    /**
     * Returns the amounts of all resources after these replacements. Returns empty if the injection rules refuse the
     * pod.
     */
    Optional<Amounts> after(List<PodRequestReplacement> moves) {
        return isInjected()
                ? injected.computeIfAbsent(moves, this::withInjection)
                : Optional.of(withoutInjection(moves));
    }

    private Optional<Amounts> withInjection(List<PodRequestReplacement> moves) {
        return switch (attempt(moves)) {
            case Attempt.ChangeRefused _ -> Optional.empty();
            case Attempt.PodChanged(PodPatch change) ->
                Optional.of(asWritten(GpuRequest.of(change.after(), request.isGpu())));
        };
    }

    private Amounts withoutInjection(List<PodRequestReplacement> moves) {
        return rest().plus(request.need(PodRequestReplacement.given(moves)));
    }

    /** Returns the amounts of all resources except GPUs, before any change of the pod. */
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
