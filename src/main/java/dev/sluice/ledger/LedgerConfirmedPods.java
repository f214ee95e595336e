package dev.sluice.ledger;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.SequencedMap;

/**
 * Remembers confirmed pods: pods that were decided recently and that the watch has shown. When a namespace creates many
 * pods at once, the confirmed ones indicate that the others will appear, too.
 */
final class LedgerConfirmedPods {

    /**
     * The time for which a confirmed pod is remembered, counted from its decision. It is much longer than the usual
     * delay of the watch, which is a few milliseconds. It is not longer, because during this time a namespace that uses
     * half of the cluster can keep the other half from other namespaces.
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
