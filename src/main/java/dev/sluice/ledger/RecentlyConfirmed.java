package dev.sluice.ledger;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.SequencedMap;

/**
 * Pods that were decided a moment ago and exist. They show that the pods of their namespace do appear, so that the rest
 * of a burst will too.
 */
final class RecentlyConfirmed {

    /**
     * Half of it is the time that the watch may be behind in a burst: by then as many pods of the burst were seen as
     * were not. Real watches are milliseconds behind. A longer moment would let a namespace that really takes half of
     * the cluster hoard the other half for as long.
     */
    static final Duration MOMENT = Duration.ofSeconds(10);

    /** As many as there may be assumed pods; of more the oldest are forgotten. */
    private static final int MOST = AssumedPods.MOST;

    record ConfirmedPod(PodEntry entry, String namespace, Instant assumedAt) {}

    /** The first confirmed is first. */
    private final SequencedMap<PodEntry, ConfirmedPod> confirmed = new LinkedHashMap<>();

    void add(PodEntry entry, AssumedPod assumed) {
        confirmed.put(entry, new ConfirmedPod(entry, assumed.namespace(), assumed.assumedAt()));
        if (confirmed.size() > MOST) {
            var _ = confirmed.pollFirstEntry();
        }
    }

    void remove(PodEntry entry) {
        confirmed.remove(entry);
    }

    /** Those that were decided in the last moment. */
    public Iterable<ConfirmedPod> recent(Instant now) {
        Instant since = now.minus(MOMENT);
        confirmed.values().removeIf(pod -> pod.assumedAt().isBefore(since));
        return confirmed.values();
    }
}
