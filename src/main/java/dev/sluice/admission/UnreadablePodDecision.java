package dev.sluice.admission;

import dev.sluice.admission.injection.Injection;
import dev.sluice.admission.request.Policy;
import dev.sluice.admission.verdict.DecisionCause;
import dev.sluice.admission.verdict.DecisionCause.UnreadablePart;
import dev.sluice.admission.verdict.Reason;
import dev.sluice.admission.verdict.Verdict;
import java.util.ArrayList;
import java.util.List;

/**
 * Creates the verdict on a pod that cannot be decoded or evaluated. The policy says whether the pod is denied, or
 * allowed as it was written.
 */
public final class UnreadablePodDecision {

    private UnreadablePodDecision() {}

    /** Returns the verdict for an object that is not a pod, or that exceeds the limits of the decoder. */
    public static Verdict malformed(String problem, Policy policy) {
        return verdict(UnreadablePart.POD, problem, List.of(), policy);
    }

    /** Returns the verdict for a review without an object. */
    public static Verdict absent(Policy policy) {
        return verdict(UnreadablePart.OBJECT, "", List.of(), policy);
    }

    static Verdict verdict(UnreadablePart part, String problem, List<DecisionCause> causes, Policy policy) {
        Reason reason = part == UnreadablePart.NODE_CONSTRAINTS ? Reason.CANNOT_BE_EVALUATED : Reason.MALFORMED_POD;
        return switch (policy.unreadable()) {
            case KEEP -> {
                List<DecisionCause> all = new ArrayList<>(causes);
                all.add(new DecisionCause.Unreadable(part, problem, /* denied= */ false));
                yield Verdict.Allowed.untouched(reason, all);
            }
            case DENY ->
                new Verdict.Denied(
                        reason,
                        new DecisionCause.Unreadable(part, problem, /* denied= */ true),
                        causes,
                        Injection.NOTHING,
                        policy.helpText());
        };
    }
}
