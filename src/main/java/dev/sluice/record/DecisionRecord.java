package dev.sluice.record;

import dev.sluice.admission.request.Move;
import dev.sluice.admission.verdict.DecisionCause;
import dev.sluice.admission.verdict.JudgedCandidate;
import dev.sluice.admission.verdict.Reason;
import java.util.List;

/**
 * One decision about a pod that asks for a GPU, or that could not be read.
 *
 * @param epochMillis the time of the answer, in milliseconds of the Unix epoch
 * @param moves the exchanged resources; empty if none was exchanged
 * @param candidates the resources that the pod could have got instead, each with its result; empty if the pod gets what
 *     it asks for
 * @param causes the causes with their numbers; empty if their texts are too long to be kept, in which case only
 *     {@code messages} has them
 * @param messages the sentences that the user got
 * @param stamp the value of the stamp annotation, which identifies the pod in availability mode; empty if the decision
 *     wrote none
 * @param nanos the time from the complete body to the answer, in nanoseconds
 */
public record DecisionRecord(
        long epochMillis,
        RecordedPod pod,
        DecisionKind kind,
        Reason reason,
        List<Move> moves,
        List<JudgedCandidate> candidates,
        List<DecisionCause> causes,
        UserMessages messages,
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
