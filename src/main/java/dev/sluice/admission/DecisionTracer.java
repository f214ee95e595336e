package dev.sluice.admission;

import dev.sluice.admission.injection.Injection;
import dev.sluice.admission.request.ContainerRequest;
import dev.sluice.admission.request.PodRequestReplacement;
import dev.sluice.admission.request.Policy.Mode;
import dev.sluice.admission.verdict.CandidateVerdict;
import dev.sluice.admission.verdict.Reason;
import dev.sluice.admission.verdict.Verdict;
import dev.sluice.admission.verdict.Verdict.Outcome;
import dev.sluice.admission.verdict.VerdictTrace;
import dev.sluice.admission.verdict.VerdictTrace.AskedResource;
import dev.sluice.admission.verdict.VerdictTrace.Candidate;
import dev.sluice.admission.verdict.VerdictTrace.CandidateOutcome;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.ArrayList;
import java.util.List;

/** Describes the result of each candidate resource after a search has ended. */
record DecisionTracer(FallbackSearch search) {

    /**
     * The maximum number of candidates in a verdict. Verdicts stay in memory after the decision, so they must be small.
     */
    private static final int MOST_JUDGED = 16;

    /**
     * Returns the verdict of the search. A verdict that depends on candidate resources contains the results of the
     * first {@link #MOST_JUDGED} candidates.
     */
    Verdict judged() {
        return isAsWritten() || search.request.resources().isEmpty() || !isJudged()
                ? search.verdict()
                : search.verdict().judged(firstJudged());
    }

    /** Returns true if the pod gets the requested resources without waiting, or if it could not be evaluated. */
    private boolean isAsWritten() {
        return search.verdict() instanceof Verdict.Allowed allowed
                && switch (allowed.outcome()) {
                    case UNCHANGED, CHANGED -> allowed.moves().isEmpty() && !search.waits();
                    case UNTOUCHED -> true;
                    case KEPT -> false;
                };
    }

    private List<CandidateVerdict> firstJudged() {
        List<CandidateVerdict> judged = new ArrayList<>();
        for (ResourceName asked : search.request.resources()) {
            FallbackCandidates.Row row = search.candidates().of(asked);
            int given = given(row);
            for (int i = 0; i < row.resources().size() && judged.size() < MOST_JUDGED; i++) {
                judged.add(new CandidateVerdict(asked, row.resources().get(i), fate(row, i, given)));
            }
        }
        return judged;
    }

    VerdictTrace trace() {
        List<ResourceName> asked = search.request.resources();
        return new VerdictTrace(
                judged(),
                search.mode,
                asked.stream().map(this::asked).toList(),
                asked.size() > 1 ? search.rejectedCombinations : List.of());
    }

    private AskedResource asked(ResourceName asked) {
        List<String> containers = search.request.containersRequesting(asked).stream()
                .map(ContainerRequest::name)
                .toList();
        return new AskedResource(asked, containers, isJudged() ? candidates(asked) : List.of());
    }

    /**
     * Returns true if nodes were evaluated. Returns false if the pod has an invalid quantity, or if its node
     * constraints cannot be evaluated.
     */
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
        int given = given(row);
        List<Candidate> candidates = new ArrayList<>();
        for (int i = 0; i < row.resources().size(); i++) {
            ResourceName resource = row.resources().get(i);
            candidates.add(new Candidate(resource, row.need(i), total(asked, resource), fate(row, i, given)));
        }
        return candidates;
    }

    /** Returns the index of the candidate with which the search ended. */
    private int given(FallbackCandidates.Row row) {
        List<ResourceName> resources = row.resources();
        return search.end().isEmpty()
                ? 0
                : resources.indexOf(PodRequestReplacement.given(search.end()).apply(resources.getFirst()));
    }

    private CandidateOutcome fate(FallbackCandidates.Row row, int place, int given) {
        int chosen = isGivenSomething() ? given : row.resources().size();
        if (place == chosen) {
            return search.waits() ? CandidateOutcome.AWAITED : CandidateOutcome.CHOSEN;
        }
        if (place > chosen && !search.waits()) {
            return CandidateOutcome.NOT_NEEDED;
        }
        if (isUncertain(row, place)) {
            return CandidateOutcome.UNCERTAIN;
        }
        return row.isOffered(place) ? fateOfOffered(row, place, place == given) : CandidateOutcome.NOT_OFFERED;
    }

    /**
     * Returns true if the search stopped at this candidate, because it is unknown whether DRA has enough devices for
     * it.
     */
    private boolean isUncertain(FallbackCandidates.Row row, int place) {
        return search.stoppedAt()
                .filter(moves -> isIn(moves, row, place))
                .filter(_ -> !row.isOffered(place)
                        || isExhausted(row, row.resources().get(place)))
                .isPresent();
    }

    private static boolean isIn(List<PodRequestReplacement> moves, FallbackCandidates.Row row, int place) {
        return PodRequestReplacement.given(moves)
                .apply(row.resources().getFirst())
                .equals(row.resources().get(place));
    }

    /** Returns true if the pod is admitted with one of the candidates, which may be the requested resource itself. */
    private boolean isGivenSomething() {
        return search.verdict() instanceof Verdict.Allowed allowed
                && (allowed.outcome() == Outcome.UNCHANGED || allowed.outcome() == Outcome.CHANGED);
    }

    private CandidateOutcome fateOfOffered(FallbackCandidates.Row row, int place, boolean endedWithIt) {
        ResourceName candidate = row.resources().get(place);
        if (search.verdict().injection() instanceof Injection.Refused(Injection.Refusal refusal)) {
            boolean isRefused = endedWithIt && refusal.resources().contains(candidate);
            return isRefused
                    ? CandidateOutcome.REFUSED
                    : isExhausted(row, candidate) ? CandidateOutcome.EXHAUSTED : CandidateOutcome.NOT_TRIED;
        }
        boolean isUntouched =
                search.verdict() instanceof Verdict.Allowed allowed && allowed.outcome() == Outcome.UNTOUCHED;
        if (isUntouched) {
            return CandidateOutcome.NOT_TRIED;
        }
        if (place > 0
                && search.isRuledOut(new PodRequestReplacement(row.resources().getFirst(), candidate))) {
            return CandidateOutcome.LIMITED;
        }
        return isExhausted(row, candidate)
                ? CandidateOutcome.EXHAUSTED
                : isTried(row, place) ? CandidateOutcome.NOT_TOGETHER : CandidateOutcome.NOT_TRIED;
    }

    /**
     * Returns true if a combination with this candidate was rejected. The search does not record all rejected
     * combinations of a pod with several resources. For such a pod, the method therefore returns true unless the search
     * stopped because of DRA.
     */
    private boolean isTried(FallbackCandidates.Row row, int place) {
        return search.rejectedCombinations.stream().anyMatch(moves -> isIn(moves, row, place))
                || (search.request.resources().size() > 1 && search.stoppedAt().isEmpty());
    }

    private boolean isExhausted(FallbackCandidates.Row row, ResourceName candidate) {
        return search.mode == Mode.AVAILABILITY
                && !search.capacity.isFree(
                        total(row.resources().getFirst(), candidate),
                        search.request.pod().constraints());
    }

    /**
     * Returns the amounts that the pod uses on its node with this candidate, if none of its other resources is
     * replaced.
     */
    private Amounts total(ResourceName asked, ResourceName candidate) {
        List<PodRequestReplacement> moves =
                candidate.equals(asked) ? List.of() : List.of(new PodRequestReplacement(asked, candidate));
        Amounts alone = search.demand.rest().plus(Amounts.of(candidate, search.request.needOf(asked, candidate)));
        return search.request.resources().size() == 1
                ? search.demand.after(moves).orElse(alone)
                : alone;
    }
}
