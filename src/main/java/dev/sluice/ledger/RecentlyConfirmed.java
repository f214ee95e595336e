package dev.sluice.ledger;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.SequencedMap;

/**
 * Remembers pods that were decided recently and now exist. They show that the pods of their namespace do appear, so
 * that the rest of a burst can be expected to appear too.
 */
final class RecentlyConfirmed {

    /**
     * The time for which a confirmed pod counts, from its decision. Half of it is the delay that the watch may have in
     * a burst: after that delay, as many pods of the burst were seen as were not. Real watches are milliseconds behind.
     * A longer time would let a namespace that takes half of the cluster block the other half for that long.
     */
    static final Duration MOMENT = Duration.ofSeconds(10);

    /**
     * The maximum number of remembered pods, which equals the maximum number of assumed pods. Beyond it the oldest are
     * dropped.
     */
    private static final int MOST = AssumedPods.MOST;

    record ConfirmedPod(PodEntry entry, String namespace, Instant assumedAt) {}

    /** The remembered pods in the order of their confirmation. */
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

    /** Returns the pods that were decided less than {@link #MOMENT} ago. */
    public Iterable<ConfirmedPod> recent(Instant now) {
        Instant since = now.minus(MOMENT);
        confirmed.values().removeIf(pod -> pod.assumedAt().isBefore(since));
        return confirmed.values();
    }
}
