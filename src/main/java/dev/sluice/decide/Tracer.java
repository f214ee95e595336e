package dev.sluice.decide;

import dev.sluice.injection.Injection;
import dev.sluice.policy.Policy.Mode;
import dev.sluice.quantity.Amounts;
import dev.sluice.quantity.ResourceName;
import dev.sluice.request.ContainerRequest;
import dev.sluice.request.Move;
import dev.sluice.verdict.Reason;
import dev.sluice.verdict.Trace;
import dev.sluice.verdict.Trace.AskedResource;
import dev.sluice.verdict.Trace.Candidate;
import dev.sluice.verdict.Trace.Fate;
import dev.sluice.verdict.Verdict;
import dev.sluice.verdict.Verdict.Outcome;
import java.util.ArrayList;
import java.util.List;

/** Reads off a search that was run what became of each candidate. */
record Tracer(Search search) {

    Trace trace() {
        List<ResourceName> asked = search.request.resources();
        return new Trace(
                search.verdict(),
                search.mode,
                asked.stream().map(this::asked).toList(),
                asked.size() > 1 ? search.inVain : List.of());
    }

    private AskedResource asked(ResourceName asked) {
        List<String> containers = search.request.containersRequesting(asked).stream()
                .map(ContainerRequest::name)
                .toList();
        return new AskedResource(asked, containers, isJudged() ? candidates(asked) : List.of());
    }

    /** False if no node was looked at. */
    private boolean isJudged() {
        Reason reason = switch (search.verdict()) {
            case Verdict.Allowed allowed -> allowed.reason();
            case Verdict.Denied denied -> denied.reason();
            case Verdict.NoGpu _ -> Reason.OFFERED;
        };
        return search.request.isLegal() && reason != Reason.CANNOT_BE_EVALUATED;
    }

    private List<Candidate> candidates(ResourceName asked) {
        FallbackCandidates.Row row = search.candidates.of(asked);
        List<ResourceName> resources = row.resources();
        int given = resources.indexOf(Move.given(search.end()).apply(asked));
        int chosen = isGivenSomething() ? given : resources.size();
        List<Candidate> candidates = new ArrayList<>();
        for (int i = 0; i < resources.size(); i++) {
            Amounts total = total(asked, resources.get(i), row.need());
            Fate fate;
            if (i == chosen) {
                fate = search.waits() ? Fate.AWAITED : Fate.CHOSEN;
            } else if (i > chosen && !search.waits()) {
                fate = Fate.NOT_NEEDED;
            } else {
                fate = row.isOffered(i) ? fateOfOffered(i == given, resources.get(i), total) : Fate.NOT_OFFERED;
            }
            candidates.add(new Candidate(resources.get(i), row.need(), total, fate));
        }
        return candidates;
    }

    /** The pod is not left as written for want of anything better. */
    private boolean isGivenSomething() {
        return search.verdict() instanceof Verdict.Allowed allowed
                && (allowed.outcome() == Outcome.UNCHANGED || allowed.outcome() == Outcome.CHANGED);
    }

    private Fate fateOfOffered(boolean endedWithIt, ResourceName candidate, Amounts total) {
        if (search.verdict().injection() instanceof Injection.Refused(Injection.Refusal refusal)) {
            boolean isRefused = endedWithIt && refusal.resources().contains(candidate);
            return isRefused ? Fate.REFUSED : isExhausted(total) ? Fate.EXHAUSTED : Fate.NOT_TRIED;
        }
        boolean isUntouched =
                search.verdict() instanceof Verdict.Allowed allowed && allowed.outcome() == Outcome.UNTOUCHED;
        return isUntouched ? Fate.NOT_TRIED : isExhausted(total) ? Fate.EXHAUSTED : Fate.NOT_TOGETHER;
    }

    private boolean isExhausted(Amounts total) {
        return search.mode == Mode.AVAILABILITY
                && !search.capacity.isFree(total, search.request.pod().constraints());
    }

    /** What the pod takes of its node with this candidate, and with everything else as it is written. */
    private Amounts total(ResourceName asked, ResourceName candidate, long need) {
        List<Move> moves = candidate.equals(asked) ? List.of() : List.of(new Move(asked, candidate));
        Amounts alone = search.demand.rest().plus(Amounts.of(candidate, need));
        return search.request.resources().size() == 1
                ? search.demand.after(moves).orElse(alone)
                : alone;
    }
}
