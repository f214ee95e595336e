package dev.sluice.metrics.parts;

import com.codahale.metrics.Counter;
import dev.sluice.admission.verdict.Reason;
import dev.sluice.metrics.MetricFamilies;
import dev.sluice.metrics.MetricName;
import dev.sluice.record.RecordedDecisionKind;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Stream;

/** Counts decisions by kind and reason. The series of all valid combinations exist from the start. */
final class DecisionCounters {

    private final MetricFamilies families;
    private final String[] more;
    private final Map<RecordedDecisionKind, Map<Reason, Counter>> counters = new EnumMap<>(RecordedDecisionKind.class);

    /** @param more further labels of each series, as alternating names and values */
    DecisionCounters(MetricFamilies families, String... more) {
        this.families = families;
        this.more = more;
        for (RecordedDecisionKind kind : RecordedDecisionKind.values()) {
            Map<Reason, Counter> byReason = new EnumMap<>(Reason.class);
            kind.reasons().forEach(reason -> byReason.put(reason, counter(kind, reason)));
            counters.put(kind, byReason);
        }
    }

    /** Returns the counter of a combination. If the combination is not valid, its counter is created now. */
    Counter of(RecordedDecisionKind kind, Reason reason) {
        Counter known = counters.getOrDefault(kind, Map.of()).get(reason);
        return known == null ? counter(kind, reason) : known;
    }

    private Counter counter(RecordedDecisionKind kind, Reason reason) {
        String[] labels = Stream.concat(Stream.of("decision", kind.word(), "reason", reason.word()), Stream.of(more))
                .toArray(String[]::new);
        return families.counter(MetricName.DECISIONS, labels);
    }
}
