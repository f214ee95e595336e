package dev.sluice.decide;

import dev.sluice.injection.Injection;
import dev.sluice.policy.Policy;
import dev.sluice.wording.Wording;
import java.util.ArrayList;
import java.util.List;

/** The verdict on a pod that cannot be read, or not evaluated: what its policy says, because nothing else is known. */
public final class UnreadablePod {

    private UnreadablePod() {}

    /** The object is no pod, or it goes beyond what is read of one. */
    public static Verdict malformed(String problem, Policy policy) {
        return verdict(Reason.MALFORMED_POD, "this pod cannot be read: " + problem, List.of(), policy);
    }

    /** There is no object in the review. */
    public static Verdict absent(Policy policy) {
        return verdict(Reason.MALFORMED_POD, "this review holds no pod", List.of(), policy);
    }

    /** It asks for GPUs, but nobody can say which nodes it may use. */
    static Verdict notEvaluated(String problem, List<String> warnings, Policy policy) {
        return verdict(
                Reason.CANNOT_BE_EVALUATED, "where this pod may run cannot be evaluated: " + problem, warnings, policy);
    }

    private static Verdict verdict(Reason reason, String problem, List<String> warnings, Policy policy) {
        return switch (policy.unreadable()) {
            case KEEP -> {
                List<String> all = new ArrayList<>(warnings);
                all.add(Wording.sentence(problem + "; it is allowed unchanged"));
                yield Verdict.Allowed.untouched(reason, all);
            }
            case DENY ->
                new Verdict.Denied(
                        reason,
                        Wording.sentence(problem + "; the policy of this namespace refuses such pods"),
                        warnings,
                        Injection.NOTHING);
        };
    }
}
