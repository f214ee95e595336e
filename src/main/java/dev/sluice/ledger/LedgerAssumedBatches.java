package dev.sluice.ledger;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the decisions whose pods were refused, for one controller that creates pods in batches.
 *
 * <p>Such a controller creates one pod, then two, then four and so on. It waits for all answers of a batch before it
 * begins the next batch. After a pod was refused, it starts again with one pod (slowStartBatch in replica_set.go,
 * manageJob in job_controller.go, syncNodes in daemon_controller.go of Kubernetes 1.36.3).
 *
 * <p>Two facts follow. A batch has at most one pod more than all earlier batches together. When a review of a pod
 * arrives, all pods of earlier batches have been stored or refused.
 */
final class LedgerAssumedBatches {

    /**
     * The maximum delay, by assumption, between the storing of a pod and its event in the watch. The usual delay is a
     * few milliseconds.
     */
    static final Duration WATCH_DELAY = Duration.ofMillis(500);

    /**
     * The maximum duration of a batch. If the controller creates no pod for this time, its next batch has one pod
     * again.
     */
    private static final Duration LONGEST_BATCH = LedgerAssumedPods.LONGEST_CREATE.plusSeconds(6);

    /**
     * Denied pods are no longer added if {@link #creations} has this many entries. Refused pods are then found later.
     */
    private static final int MOST_WITH_DENIED = 128;

    private static final class PodCreation {
        private final Instant at;
        /** The decision about the pod. It is null if Sluice has denied the pod, or if the watch has shown it. */
        private @Nullable LedgerAssumedPod pod;

        private boolean seen;

        PodCreation(@Nullable LedgerAssumedPod pod, Instant at) {
            this.pod = pod;
            this.at = at;
        }
    }

    /** The creations of pods, oldest first. The list begins with the oldest pod that the watch has not shown. */
    private final List<PodCreation> creations = new ArrayList<>();
    /**
     * The number of pods that the controller created before the first entry of {@link #creations}, since its last batch
     * of one pod. The number is too high if that batch was not noticed.
     */
    private int created;

    private Instant latest = Instant.MIN;

    void add(LedgerAssumedPod pod) {
        add(pod, pod.assumedAt());
    }

    private void add(@Nullable LedgerAssumedPod pod, Instant now) {
        if (!latest.equals(Instant.MIN) && latest.plus(LONGEST_BATCH).isBefore(now)) {
            creations.clear();
            created = 0;
        }
        latest = now;
        creations.add(new PodCreation(pod, now));
    }

    /**
     * Adds a pod that Sluice has denied. Nothing is reserved for the pod, but it shows that the controller has received
     * the answers to all earlier batches.
     */
    void addDenied(Instant now) {
        if (creations.size() < MOST_WITH_DENIED) {
            add(null, now);
        }
    }

    /** Returns true if {@link #takeEnded} may still find refused pods. */
    boolean isUnsettled() {
        return creations.size() > 1 && creations.stream().anyMatch(creation -> creation.pod != null);
    }

    void seen(LedgerAssumedPod pod) {
        for (PodCreation creation : creations) {
            if (creation.pod == pod) {
                creation.pod = null;
                creation.seen = true;
                break;
            }
        }
        int leading = 0;
        while (leading < creations.size() && creations.get(leading).seen) {
            leading++;
        }
        created += leading;
        creations.subList(0, leading).clear();
    }

    /** Removes the decision as if it had never been made. */
    void withdraw(LedgerAssumedPod pod) {
        creations.removeIf(creation -> creation.pod == pod);
    }

    /**
     * Removes and returns the decisions whose pods were certainly refused. Their controller has created a pod of a
     * later batch, and the watch would have shown the refused pods by {@code now} if they had been stored.
     */
    List<LedgerAssumedPod> takeEnded(Instant now) {
        List<LedgerAssumedPod> ended = new ArrayList<>();
        int before = created;
        int done = 0;
        for (int i = 0; i < creations.size(); i++) {
            PodCreation creation = creations.get(i);
            int later = i + Integer.highestOneBit(before + 1);
            if (!creation.seen
                    && later < creations.size()
                    && !creations.get(later).at.plus(WATCH_DELAY).isAfter(now)) {
                if (creation.pod != null) {
                    ended.add(creation.pod);
                }
                before = 0;
                done = i + 1;
            } else {
                before++;
            }
        }
        if (done > 0) {
            creations.subList(0, done).clear();
            created = 0;
        }
        return ended;
    }
}
