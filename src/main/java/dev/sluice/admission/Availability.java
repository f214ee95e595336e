package dev.sluice.admission;

import dev.sluice.cluster.Amounts;
import dev.sluice.cluster.ResourceName;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Decides by what is free: the first combination that some node has room for now, with everything the pod asks. */
final class Availability {

    private final Decider decider;
    private final Room room;
    private final GpuAsk ask;
    private final Wording wording;
    /** What the pod asks besides GPUs is the same in every combination. */
    private final Amounts rest;
    /** Set once a combination was tried whose injection refuses the pod. */
    private Optional<Verdict> refusal = Optional.empty();

    Availability(Decider decider, Room room) {
        this.decider = decider;
        this.room = room;
        this.ask = decider.ask();
        this.wording = decider.wording();
        this.rest = ask.rest();
    }

    Verdict verdict() {
        if (ends(Map.of())) {
            return refusal.orElseGet(() -> decider.allowed(Verdict.Outcome.UNCHANGED, Reason.OFFERED, List.of()));
        }
        if (!decider.clusterHasGpu()) {
            return decider.withoutGpu();
        }
        Combinations combinations = decider.combinations();
        if (combinations.areTooMany()) {
            return decider.tooMany();
        }
        Optional<Map<ResourceName, ResourceName>> free = combinations.first(this::ends);
        return refusal.or(() -> free.map(given -> changed(decider.moves(given), combinations)))
                .orElseGet(() -> exhausted(combinations));
    }

    /** There is room for the pod as it would be then; or injection refuses it, which ends the search as well. */
    private boolean ends(Map<ResourceName, ResourceName> given) {
        List<Move> moves = decider.moves(given);
        if (!decider.injects()) {
            return isFree(rest.plus(ask.need(Move.given(moves))));
        }
        return switch (decider.attempt(moves)) {
            case PodChange.Attempt.Refused refused -> {
                refusal = Optional.of(decider.refused(refused, moves));
                yield true;
            }
            case PodChange.Attempt.Done done -> isFree(done.change().need(ask.isGpu()));
        };
    }

    private boolean isFree(Amounts need) {
        return room.isFree(need, ask.pod().constraints());
    }

    /** The reason is why the asked resource was not taken. */
    private Verdict changed(List<Move> moves, Combinations combinations) {
        return combinations.isOffered(Map.of())
                ? decider.changed(moves, Reason.EXHAUSTED, move -> wording.changedAsExhausted(move, room))
                : decider.changed(moves, Reason.NOT_OFFERED, wording::changed);
    }

    /** Nothing is free; what is not even offered is answered as in allocatable mode. */
    private Verdict exhausted(Combinations combinations) {
        Optional<Map<ResourceName, ResourceName>> offered =
                combinations.isOffered(Map.of()) ? Optional.of(Map.of()) : combinations.firstOffered();
        if (offered.isEmpty()) {
            return decider.notOffered(combinations);
        }
        List<Move> moves = decider.moves(offered.get());
        return switch (decider.policy().whenExhausted()) {
            case WAIT -> waiting(moves);
            case DENY ->
                decider.denied(
                        Reason.EXHAUSTED,
                        wording.deniedAsExhausted(ask.resources().getFirst(), combinations, room));
        };
    }

    /** The answer of allocatable mode, and what the pod waits for. */
    private Verdict waiting(List<Move> moves) {
        if (!moves.isEmpty()) {
            return decider.changed(moves, Reason.EXHAUSTED, move -> wording.changedAndWaits(move, room));
        }
        ask.resources().forEach(asked -> decider.warn(wording.waits(asked, room)));
        return decider.allowed(Verdict.Outcome.UNCHANGED, Reason.EXHAUSTED, moves);
    }
}
