package dev.sluice.record;

import dev.sluice.admission.request.PodRequestReplacement;
import dev.sluice.admission.request.Policy;
import dev.sluice.admission.verdict.CandidateVerdict;
import dev.sluice.admission.verdict.DecisionCause;
import dev.sluice.admission.verdict.Reason;
import java.util.List;

/**
 * A decision about a pod that requests a GPU, or about a pod that could not be decoded.
 *
 * @param epochMillis the time of the answer, in milliseconds of the Unix epoch
 * @param moves the resources that were replaced, each with its substitute; empty if no resource was replaced
 * @param candidates the other resources of the fallback chain, each with its result; empty if the pod gets what it
 *     requests
 * @param causes the causes with their amounts; empty if they are too long to be kept. In that case only
 *     {@code messages} describes them
 * @param messages the sentences that the user received
 * @param stamp the value of the annotation that identifies the decision in availability mode; empty if the decision
 *     wrote no such annotation
 * @param nanos the time from the end of the request's body to the answer, in nanoseconds
 */
public record DecisionRecord(
        long epochMillis,
        RecordedPod pod,
        RecordedDecisionKind kind,
        Reason reason,
        List<PodRequestReplacement> moves,
        List<CandidateVerdict> candidates,
        List<DecisionCause> causes,
        RecordedUserMessages messages,
        RecordedInjection injection,
        RecordedBasis basis,
        String stamp,
        long nanos)
        implements ReviewRecord {

    /** Returns true if the decision was not carried out: the pod was created as it was written. */
    public boolean isObserved() {
        return basis.enforcement() == Policy.Enforcement.OBSERVE;
    }

    public DecisionRecord {
        moves = List.copyOf(moves);
        candidates = List.copyOf(candidates);
        causes = List.copyOf(causes);
    }
}
