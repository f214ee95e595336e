package dev.sluice.admission.decide;

import dev.sluice.admission.injection.Injection;
import dev.sluice.admission.policy.Policy.Mode;
import dev.sluice.admission.request.ContainerRequest;
import dev.sluice.admission.request.Move;
import dev.sluice.admission.verdict.JudgedCandidate;
import dev.sluice.admission.verdict.Reason;
import dev.sluice.admission.verdict.Trace;
import dev.sluice.admission.verdict.Trace.AskedResource;
import dev.sluice.admission.verdict.Trace.Candidate;
import dev.sluice.admission.verdict.Trace.Fate;
import dev.sluice.admission.verdict.Verdict;
import dev.sluice.admission.verdict.Verdict.Outcome;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.ArrayList;
import java.util.List;

/** Reads off a search that was run what became of each candidate. */
record Tracer(Search search) {

    /** The record of a decision lives on after it, so that it holds no more. */
    private static final int MOST_JUDGED = 16;

    /** The verdict, with what became of each candidate where the verdict came of that. */
    Verdict judged() {
        boolean isWithoutSearch = search.request.resources().isEmpty() || !isJudged();
        return isWithoutSearch || isAsWritten()
                ? search.verdict()
                : search.verdict().judged(firstJudged());
    }

    /** The pod gets what it asks for, or cannot be judged. */
    private boolean isAsWritten() {
        return search.verdict() instanceof Verdict.Allowed allowed
                && switch (allowed.outcome()) {
                    case UNCHANGED -> !search.waits();
                    case UNTOUCHED -> true;
                    case CHANGED, KEPT -> false;
                };
    }

    private List<JudgedCandidate> firstJudged() {
        List<JudgedCandidate> judged = new ArrayList<>();
        for (ResourceName asked : search.request.resources()) {
            FallbackCandidates.Row row = search.candidates().of(asked);
            for (int i = 0; i < row.resources().size() && judged.size() < MOST_JUDGED; i++) {
                judged.add(new JudgedCandidate(asked, row.resources().get(i), fate(row, i)));
            }
        }
        return judged;
    }

    Trace trace() {
        List<ResourceName> asked = search.request.resources();
        return new Trace(
                judged(),
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
        FallbackCandidates.Row row = search.candidates().of(asked);
        List<Candidate> candidates = new ArrayList<>();
        for (int i = 0; i < row.resources().size(); i++) {
            ResourceName resource = row.resources().get(i);
            candidates.add(new Candidate(resource, row.need(), total(asked, resource, row.need()), fate(row, i)));
        }
        return candidates;
    }

    private Fate fate(FallbackCandidates.Row row, int place) {
        List<ResourceName> resources = row.resources();
        int given = resources.indexOf(Move.given(search.end()).apply(resources.getFirst()));
        int chosen = isGivenSomething() ? given : resources.size();
        if (place == chosen) {
            return search.waits() ? Fate.AWAITED : Fate.CHOSEN;
        }
        if (place > chosen && !search.waits()) {
            return Fate.NOT_NEEDED;
        }
        return row.isOffered(place) ? fateOfOffered(row, place, place == given) : Fate.NOT_OFFERED;
    }

    /** The pod is not left as written for want of anything better. */
    private boolean isGivenSomething() {
        return search.verdict() instanceof Verdict.Allowed allowed
                && (allowed.outcome() == Outcome.UNCHANGED || allowed.outcome() == Outcome.CHANGED);
    }

    private Fate fateOfOffered(FallbackCandidates.Row row, int place, boolean endedWithIt) {
        ResourceName candidate = row.resources().get(place);
        if (search.verdict().injection() instanceof Injection.Refused(Injection.Refusal refusal)) {
            boolean isRefused = endedWithIt && refusal.resources().contains(candidate);
            return isRefused ? Fate.REFUSED : isExhausted(row, candidate) ? Fate.EXHAUSTED : Fate.NOT_TRIED;
        }
        boolean isUntouched =
                search.verdict() instanceof Verdict.Allowed allowed && allowed.outcome() == Outcome.UNTOUCHED;
        return isUntouched ? Fate.NOT_TRIED : isExhausted(row, candidate) ? Fate.EXHAUSTED : Fate.NOT_TOGETHER;
    }

    private boolean isExhausted(FallbackCandidates.Row row, ResourceName candidate) {
        return search.mode == Mode.AVAILABILITY
                && !search.capacity.isFree(
                        total(row.resources().getFirst(), candidate, row.need()),
                        search.request.pod().constraints());
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
