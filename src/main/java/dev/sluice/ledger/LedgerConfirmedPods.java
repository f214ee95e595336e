package dev.sluice.ledger;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.SequencedMap;

/**
 * Remembers confirmed pods: pods that were decided recently and that the watch has shown. They show that the pods of a
 * burst are really created, so that the other pods of the burst can be expected.
 */
final class LedgerConfirmedPods {

    /**
     * The time for which a confirmed pod is remembered, counted from its decision. Even if the watch is behind by half
     * of this time, it has shown half of the pods that were decided within the time. A real watch is behind by
     * milliseconds. The time must not be longer, because a namespace that uses half of the cluster can block the other
     * half for that time.
     */
    static final Duration MOMENT = Duration.ofSeconds(10);

    /**
     * The maximum number of remembered pods, which equals the maximum number of assumed pods. If there are more, the
     * oldest are dropped.
     */
    private static final int MOST = LedgerAssumedPods.MOST;

    record ConfirmedPod(LedgerPodEntry entry, String namespace, Instant assumedAt) {}

    /** The remembered pods in the order of their confirmation. */
    private final SequencedMap<LedgerPodEntry, ConfirmedPod> confirmed = new LinkedHashMap<>();

    void add(LedgerPodEntry entry, LedgerAssumedPod assumed) {
        confirmed.put(entry, new ConfirmedPod(entry, assumed.namespace(), assumed.assumedAt()));
        if (confirmed.size() > MOST) {
            var _ = confirmed.pollFirstEntry();
        }
    }

    void remove(LedgerPodEntry entry) {
        confirmed.remove(entry);
    }

    /** Returns the pods that were decided less than {@link #MOMENT} ago. */
    public Iterable<ConfirmedPod> recent(Instant now) {
        Instant since = now.minus(MOMENT);
        confirmed.values().removeIf(pod -> pod.assumedAt().isBefore(since));
        return confirmed.values();
    }
}
