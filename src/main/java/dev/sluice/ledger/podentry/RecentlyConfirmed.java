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
public final class RecentlyConfirmed {

    /**
     * Twice the time that the watch may be behind in the middle of a burst without harm to it: as many pods of the
     * burst were seen by then as were not. Real watches are milliseconds behind. Longer would allow who really takes
     * half of the cluster to hoard the other half for so long.
     */
    static final Duration MOMENT = Duration.ofSeconds(10);

    /** As many as there may be decisions without a pod; of more the oldest speak no longer. */
    private static final int MOST = AssumedPods.MOST;

    /** One pod that exists. */
    public record ConfirmedPod(PodEntry entry, String namespace, Instant assumedAt) {}

    /** In the order of their coming. */
    private final Map<PodEntry, ConfirmedPod> confirmed = new LinkedHashMap<>();

    void add(PodEntry entry, AssumedPods.AssumedPod given) {
        confirmed.put(entry, new ConfirmedPod(entry, given.namespace(), given.assumedAt()));
        if (confirmed.size() > MOST) {
            Iterator<ConfirmedPod> oldest = confirmed.values().iterator();
            oldest.next();
            oldest.remove();
        }
    }

    void remove(PodEntry entry) {
        confirmed.remove(entry);
    }

    /** Those that were decided on in the last moment. */
    public Iterable<ConfirmedPod> recent(Instant now) {
        Instant since = now.minus(MOMENT);
        confirmed.values().removeIf(arrival -> arrival.assumedAt().isBefore(since));
        return confirmed.values();
    }
}
