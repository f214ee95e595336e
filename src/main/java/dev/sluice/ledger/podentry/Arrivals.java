package dev.sluice.ledger.podentry;

import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Pods that exist and were decided on a moment ago. They speak for their namespace: what it decides is seen, so that
 * what is not seen yet of its burst will be.
 */
public final class Arrivals {

    /**
     * Twice the time that the watch may be behind in the middle of a burst without harm to it: as many pods of the
     * burst were seen by then as were not. Real watches are milliseconds behind. Longer would allow who really takes
     * half of the cluster to hoard the other half for so long.
     */
    static final Duration MOMENT = Duration.ofSeconds(10);

    /** As many as there may be decisions without a pod; of more the oldest speak no longer. */
    private static final int MOST = AssumedPods.MOST;

    /** One pod that exists. */
    public record Arrival(PodEntry holding, String namespace, Instant decidedAt) {}

    /** In the order of their coming. */
    private final Map<PodEntry, Arrival> arrivals = new LinkedHashMap<>();

    void add(PodEntry holding, AssumedPods.AssumedPod given) {
        arrivals.put(holding, new Arrival(holding, given.namespace(), given.at()));
        if (arrivals.size() > MOST) {
            Iterator<Arrival> oldest = arrivals.values().iterator();
            oldest.next();
            oldest.remove();
        }
    }

    void remove(PodEntry holding) {
        arrivals.remove(holding);
    }

    /** Those that were decided on in the last moment. */
    public Iterable<Arrival> recent(Instant now) {
        Instant since = now.minus(MOMENT);
        arrivals.values().removeIf(arrival -> arrival.decidedAt().isBefore(since));
        return arrivals.values();
    }
}
