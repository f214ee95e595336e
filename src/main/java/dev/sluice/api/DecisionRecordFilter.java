package dev.sluice.api;

import dev.sluice.admission.request.Policy;
import dev.sluice.admission.verdict.Reason;
import dev.sluice.record.DecisionRecord;
import dev.sluice.record.RecordedDecisionKind;
import dev.sluice.record.RecordedReviewHead;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Selects decisions. A component that is empty excludes no decision.
 *
 * @param name the name of the pod, or a name that the API server can generate from the {@code generateName} of the pod
 * @param sinceMillis the earliest time of a selected decision, in milliseconds of the Unix epoch
 */
record DecisionRecordFilter(
        Optional<String> namespace,
        Optional<String> name,
        Optional<RecordedDecisionKind> kind,
        Optional<Reason> reason,
        Optional<Policy.Enforcement> enforcement,
        long sinceMillis)
        implements Predicate<DecisionRecord> {

    static final DecisionRecordFilter ALL = new DecisionRecordFilter(
            Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Long.MIN_VALUE);

    @Override
    public boolean test(DecisionRecord decision) {
        RecordedReviewHead head = decision.pod().head();
        return decision.epochMillis() >= sinceMillis
                && namespace.map(head.namespace()::equals).orElse(true)
                && kind.map(decision.kind()::equals).orElse(true)
                && reason.map(decision.reason()::equals).orElse(true)
                && enforcement.map(decision.basis().enforcement()::equals).orElse(true)
                && name.map(head::mayBeNamed).orElse(true);
    }
}
