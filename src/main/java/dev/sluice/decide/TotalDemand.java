package dev.sluice.decide;

import dev.sluice.patch.PodChange;
import dev.sluice.policy.NamespacePolicy;
import dev.sluice.quantity.Amounts;
import dev.sluice.request.GpuRequest;
import dev.sluice.request.Move;
import java.util.List;

/** What a pod takes of its node, everything the scheduler counts, for each way of exchanging its GPU resources. */
public final class TotalDemand {

    /** What comes of asking for one of these ways. */
    public sealed interface DemandResult {

        record Demanded(Amounts need) implements DemandResult {}

        /** The pod cannot be given what belongs to those GPUs, so it is refused. */
        record DemandRefused(PodChange.Attempt.ChangeRefused refusal) implements DemandResult {}
    }

    private final GpuRequest ask;
    private final NamespacePolicy policy;
    /** Where nothing is injected, this is the same in every way. */
    private final Amounts rest;

    public TotalDemand(GpuRequest ask, NamespacePolicy policy) {
        this.ask = ask;
        this.policy = policy;
        this.rest = ask.rest();
    }

    public DemandResult after(List<Move> moves) {
        if (ask.pod().annotations().gpuType() == null) {
            return new DemandResult.Demanded(withoutInjection(moves));
        }
        return switch (PodChange.attempt(ask, moves, policy)) {
            case PodChange.Attempt.ChangeRefused refused -> new DemandResult.DemandRefused(refused);
            case PodChange.Attempt.PodChanged done ->
                new DemandResult.Demanded(asItIs(GpuRequest.of(done.change().after(), ask.isGpu())));
        };
    }

    /** Of a pod that is allowed; nothing is injected into one that is left untouched. */
    Amounts afterwards(Verdict.Allowed allowed) {
        return allowed.outcome() != Verdict.Outcome.UNTOUCHED
                        && after(allowed.moves()) instanceof DemandResult.Demanded(Amounts need)
                ? need
                : withoutInjection(allowed.moves());
    }

    private Amounts withoutInjection(List<Move> moves) {
        return rest.plus(ask.need(Move.given(moves)));
    }

    static Amounts asItIs(GpuRequest ask) {
        return ask.rest().plus(ask.need(name -> name));
    }
}
