package dev.sluice.decide;

import dev.sluice.quantity.Amounts;
import dev.sluice.quantity.ResourceName;
import dev.sluice.request.GpuRequest;
import dev.sluice.request.Move;
import dev.sluice.wording.Wording;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Decides by what is free: the first combination that some node has room for now, with everything the pod asks. */
final class Availability {

    private final Decider decider;
    private final TotalDemand needs;
    private final FreeCapacity room;
    private final GpuRequest ask;
    private final Wording wording;
    private @Nullable Verdict refusal;

    Availability(Decider decider, TotalDemand needs, FreeCapacity room) {
        this.decider = decider;
        this.needs = needs;
        this.room = room;
        this.ask = decider.ask();
        this.wording = decider.wording();
    }

    Verdict verdict() {
        // What no node offers is no candidate, and what would belong to it is not asked for.
        boolean free = decider.isOffered() && isFree(List.of());
        if (refusal != null) {
            return refusal;
        }
        if (free) {
            return decider.allowed(Verdict.Outcome.UNCHANGED, Reason.OFFERED, List.of());
        }
        return decider.clusterHasGpu() ? fallBack(decider.combinations()) : decider.withoutGpu();
    }

    private Verdict fallBack(Combinations combinations) {
        if (combinations.areTooMany()) {
            return decider.tooMany();
        }
        Optional<Map<ResourceName, ResourceName>> found =
                combinations.first(given -> refusal != null || isFree(decider.moves(given)));
        if (refusal != null) {
            return refusal;
        }
        return found.map(given -> changed(decider.moves(given), combinations)).orElseGet(() -> exhausted(combinations));
    }

    /** Injection is part of trying: where it refuses, the pod is refused, whatever else might have been free. */
    private boolean isFree(List<Move> moves) {
        return switch (needs.after(moves)) {
            case TotalDemand.DemandResult.Demanded known ->
                room.isFree(known.need(), ask.pod().constraints());
            case TotalDemand.DemandResult.DemandRefused refused -> {
                refusal = decider.refused(refused.refusal(), moves);
                yield false;
            }
        };
    }

    /** The reason is why the asked resource was not taken. */
    private Verdict changed(List<Move> moves, Combinations combinations) {
        Reason reason = decider.isOffered() ? Reason.EXHAUSTED : Reason.NOT_OFFERED;
        return decider.changed(
                moves,
                reason,
                move -> combinations.choicesFor(move.asked()).contains(move.asked())
                        ? wording.changedAsExhausted(move, whole(List.of()), room)
                        : wording.changed(move));
    }

    /** Nothing is free; what is not even offered is answered as in allocatable mode. */
    private Verdict exhausted(Combinations combinations) {
        Optional<Map<ResourceName, ResourceName>> offered =
                decider.isOffered() ? Optional.of(Map.of()) : combinations.firstOffered();
        if (offered.isEmpty()) {
            return decider.notOffered(combinations);
        }
        List<Move> moves = decider.moves(offered.get());
        return switch (decider.policy().whenExhausted()) {
            case WAIT -> waiting(moves);
            case DENY ->
                decider.denied(
                        Reason.EXHAUSTED,
                        wording.deniedAsExhausted(scarce().getFirst(), combinations, whole(List.of()), room));
        };
    }

    /** The answer of allocatable mode, and what the pod waits for. */
    private Verdict waiting(List<Move> moves) {
        Amounts whole = whole(moves);
        if (!moves.isEmpty()) {
            return decider.changed(moves, Reason.EXHAUSTED, move -> wording.changedAndWaits(move, whole, room));
        }
        scarce().forEach(asked -> decider.warn(wording.waits(asked, whole, room)));
        return decider.allowed(Verdict.Outcome.UNCHANGED, Reason.EXHAUSTED, moves);
    }

    /** What the pod takes of its node then; what injection refuses has no room anyway. */
    private Amounts whole(List<Move> moves) {
        return needs.after(moves) instanceof TotalDemand.DemandResult.Demanded(Amounts need) ? need : Amounts.NONE;
    }

    /** Those of which too few are free anywhere; where there are enough of each, only not on one node, the first. */
    private List<ResourceName> scarce() {
        List<ResourceName> scarce = ask.resources().stream()
                .filter(asked -> room.freeOf(asked) < ask.needOf(asked))
                .toList();
        return scarce.isEmpty() ? List.of(ask.resources().getFirst()) : scarce;
    }
}
