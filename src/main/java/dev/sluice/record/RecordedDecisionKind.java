package dev.sluice.record;

import dev.sluice.admission.verdict.Reason;
import dev.sluice.admission.verdict.Verdict;
import dev.sluice.admission.verdict.Verdict.Outcome;
import java.util.List;

/**
 * The kinds of decisions. Their names must stay the same, because the log, the metrics, the audit annotations and the
 * API contain them.
 */
public enum RecordedDecisionKind {
    UNCHANGED("unchanged"),
    CHANGED("changed"),
    KEPT("kept"),
    UNTOUCHED("untouched"),
    DENIED("denied");

    private final String word;

    RecordedDecisionKind(String word) {
        this.word = word;
    }

    /** Returns the kind of a verdict about a pod that requests a GPU. */
    public static RecordedDecisionKind of(Verdict verdict) {
        return switch (verdict) {
            case Verdict.NoGpu _ -> UNCHANGED;
            case Verdict.Allowed allowed -> of(allowed.outcome());
            case Verdict.Denied _ -> DENIED;
        };
    }

    public static RecordedDecisionKind of(Outcome outcome) {
        return switch (outcome) {
            case UNCHANGED -> UNCHANGED;
            case CHANGED -> CHANGED;
            case KEPT -> KEPT;
            case UNTOUCHED -> UNTOUCHED;
        };
    }

    public String word() {
        return word;
    }

    /** Returns the reasons that a decision of this kind can have. */
    public List<Reason> reasons() {
        return switch (this) {
            case UNCHANGED -> Outcome.UNCHANGED.reasons();
            case CHANGED -> Outcome.CHANGED.reasons();
            case KEPT -> Outcome.KEPT.reasons();
            case UNTOUCHED -> Outcome.UNTOUCHED.reasons();
            case DENIED ->
                List.of(
                        Reason.NOT_OFFERED,
                        Reason.EXHAUSTED,
                        Reason.NO_GPU_IN_CLUSTER,
                        Reason.INJECTION_REFUSED,
                        Reason.MALFORMED_POD,
                        Reason.CANNOT_BE_EVALUATED);
        };
    }
}
