package dev.sluice.metrics.parts;

import com.codahale.metrics.Counter;
import dev.sluice.admission.verdict.Reason;
import dev.sluice.metrics.MetricFamilies;
import dev.sluice.metrics.MetricName;
import dev.sluice.record.DecisionKind;
import java.util.EnumMap;
import java.util.Map;

/** Counts decisions by kind and reason. All combinations that can come exist from the start. */
final class DecisionCounters {

    private final MetricFamilies families;
    private final Map<DecisionKind, Map<Reason, Counter>> counters = new EnumMap<>(DecisionKind.class);

    DecisionCounters(MetricFamilies families) {
        this.families = families;
        for (DecisionKind kind : DecisionKind.values()) {
            Map<Reason, Counter> byReason = new EnumMap<>(Reason.class);
            kind.reasons().forEach(reason -> byReason.put(reason, counter(kind, reason)));
            counters.put(kind, byReason);
        }
    }

    /** A combination that was not expected gets its counter when it comes. */
    Counter of(DecisionKind kind, Reason reason) {
        Counter known = counters.getOrDefault(kind, Map.of()).get(reason);
        return known == null ? counter(kind, reason) : known;
    }

    private Counter counter(DecisionKind kind, Reason reason) {
        return families.counter(MetricName.DECISIONS, "decision", kind.word(), "reason", reason.word());
    }
}
