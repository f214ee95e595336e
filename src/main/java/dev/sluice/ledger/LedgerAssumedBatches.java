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
 * <p>Therefore a batch has at most one pod more than all earlier batches together. And when a pod of a batch is
 * decided, the creation of all pods of earlier batches has ended.
 */
final class LedgerAssumedBatches {

    /**
     * The longest assumed time between the storing of a pod and its arrival in the watch. The usual delay is a few
     * milliseconds.
     */
    static final Duration WATCH_DELAY = Duration.ofMillis(500);

    /**
     * The pause after which the controller has certainly started again with one pod, because no batch takes that long.
     */
    private static final Duration LONGEST_BATCH = LedgerAssumedPods.LONGEST_CREATE.plusSeconds(6);

    /**
     * The number of creations at which denied creations are no longer added. Leaving them out is safe: refused pods are
     * then found later.
     */
    private static final int MOST_WITH_DENIED = 128;

    private static final class PodCreation {
        private final Instant at;
        /** The decision about the pod. It is null if the pod was denied, or if the watch has shown the pod. */
        private @Nullable LedgerAssumedPod pod;

        private boolean seen;

        PodCreation(@Nullable LedgerAssumedPod pod, Instant at) {
            this.pod = pod;
            this.at = at;
        }
    }

    /** The creations whose results are not known, oldest first. */
    private final List<PodCreation> creations = new ArrayList<>();
    /**
     * An upper bound for the number of pods that the controller has created before the first entry of
     * {@link #creations}. Only pods since the controller last started again with one pod count.
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
     * Adds a pod whose creation was denied. Nothing is reserved for the pod, but it shows that the controller has
     * received all answers for the pods of earlier batches.
     */
    void addDenied(Instant now) {
        if (creations.size() < MOST_WITH_DENIED) {
            add(null, now);
        }
    }

    /** Returns true if newer creations may still show that the pod of an older decision was refused. */
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
     * Removes and returns the decisions whose pods were refused. If these pods had been stored, the watch would have
     * shown them before {@code now}.
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
