package dev.sluice.metrics.parts;

import com.codahale.metrics.Counter;
import dev.sluice.metrics.MetricFamilies;
import dev.sluice.metrics.MetricName;
import io.vertx.core.Vertx;
import java.util.EnumMap;
import java.util.Map;

/** Counts the Kubernetes Events that the gateway writes, by result. It is thread-safe. */
public final class KubernetesEventMetrics implements PartMetrics {

    /** The result of an attempt to write an Event. */
    public enum Result {
        CREATED("created"),
        /**
         * The Event was counted in the series of an earlier Event with the same object and cause. The count of a series
         * is written at most once every 30 s.
         */
        REPEATED("repeated"),
        /** The API server did not accept the Event, or did not answer. */
        FAILED("failed"),
        /** The Event was dropped because too many Events were waiting. */
        DROPPED("dropped");

        private final String word;

        Result(String word) {
            this.word = word;
        }
    }

    private final MetricFamilies families = new MetricFamilies();
    private final Counter droppedRecords = families.counter(MetricName.RECORDS_DROPPED, "consumer", "events");
    private final Map<Result, Counter> counters = new EnumMap<>(Result.class);

    public KubernetesEventMetrics() {
        for (Result result : Result.values()) {
            counters.put(result, families.counter(MetricName.EVENTS, "result", result.word));
        }
    }

    public void count(Result result) {
        Counter counter = counters.get(result);
        if (counter != null) {
            counter.inc();
        }
    }

    /**
     * Counts a decision that was dropped without an Event. Decisions wait until the watch reports their pods, and the
     * number of waiting decisions is limited.
     */
    public void dropRecord() {
        droppedRecords.inc();
    }

    @Override
    public String part() {
        return "events";
    }

    @Override
    public MetricFamilies families() {
        return families;
    }

    @Override
    public void listen(Vertx vertx) {}
}
