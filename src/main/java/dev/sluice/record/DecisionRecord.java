package dev.sluice.record;

import dev.sluice.admission.request.Move;
import dev.sluice.admission.verdict.DecisionCause;
import dev.sluice.admission.verdict.JudgedCandidate;
import dev.sluice.admission.verdict.Reason;
import java.util.List;

/**
 * One decision about a pod that asks for a GPU, or that could not be read.
 *
 * @param epochMillis when the answer was made
 * @param moves one for each resource that was exchanged; empty if nothing was
 * @param candidates what became of what the pod could be given; empty where it gets what it asks for
 * @param causes with their numbers; empty where the words in them are too long to be kept, and {@code told} says it
 * @param told the sentences that the user got
 * @param stamp by which the pod is known in availability mode; empty if the decision gave none
 */
public record DecisionRecord(
        long epochMillis,
        RecordedPod pod,
        DecisionKind kind,
        Reason reason,
        List<Move> moves,
        List<JudgedCandidate> candidates,
        List<DecisionCause> causes,
        UserMessages told,
        RecordedInjection injection,
        DecisionBasis basis,
        String stamp,
        long nanos)
        implements ReviewRecord {

    public DecisionRecord {
        moves = List.copyOf(moves);
        candidates = List.copyOf(candidates);
        causes = List.copyOf(causes);
    }
}
