package dev.sluice.decide;

import dev.sluice.patch.PodChange;
import dev.sluice.policy.NamespacePolicy;
import dev.sluice.quantity.Amounts;
import dev.sluice.request.GpuAsk;
import dev.sluice.request.Move;
import java.util.List;

/** What a pod takes of its node, everything the scheduler counts, for each way of exchanging its GPU resources. */
public final class WholeNeed {

    /** What comes of asking for one of these ways. */
    public sealed interface Answer {

        record Known(Amounts need) implements Answer {}

        /** The pod cannot be given what belongs to those GPUs, so it is refused. */
        record Refused(PodChange.Attempt.Refused refusal) implements Answer {}
    }

    private final GpuAsk ask;
    private final NamespacePolicy policy;
    /** Where nothing is injected, this is the same in every way. */
    private final Amounts rest;

    public WholeNeed(GpuAsk ask, NamespacePolicy policy) {
        this.ask = ask;
        this.policy = policy;
        this.rest = ask.rest();
    }

    public Answer after(List<Move> moves) {
        if (ask.pod().annotations().gpuType() == null) {
            return new Answer.Known(withoutInjection(moves));
        }
        return switch (PodChange.attempt(ask, moves, policy)) {
            case PodChange.Attempt.Refused refused -> new Answer.Refused(refused);
            case PodChange.Attempt.Done done ->
                new Answer.Known(asItIs(GpuAsk.of(done.change().after(), ask.isGpu())));
        };
    }

    /** Of a pod that is allowed; nothing is injected into one that is left untouched. */
    Amounts afterwards(Verdict.Allowed allowed) {
        return allowed.outcome() != Verdict.Outcome.UNTOUCHED
                        && after(allowed.moves()) instanceof Answer.Known(Amounts need)
                ? need
                : withoutInjection(allowed.moves());
    }

    private Amounts withoutInjection(List<Move> moves) {
        return rest.plus(ask.need(Move.given(moves)));
    }

    static Amounts asItIs(GpuAsk ask) {
        return ask.rest().plus(ask.need(name -> name));
    }
}
