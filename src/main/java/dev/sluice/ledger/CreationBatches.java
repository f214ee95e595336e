package dev.sluice.ledger;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The decisions for the pods of one controller that creates them in batches: one pod, then two, then four and so on.
 * The controller waits for all answers of a batch before it begins the next one, and begins anew with one pod once a
 * pod was refused (slowStartBatch in replica_set.go, manageJob in job_controller.go, syncNodes in daemon_controller.go
 * of Kubernetes 1.36.3). So a batch is at most one larger than the number of pods that were created before it, and the
 * creation of a pod has ended when a pod of a later batch is decided.
 */
final class CreationBatches {

    /** How long a pod that was stored may take to be seen. Watches are usually some milliseconds behind. */
    static final Duration WATCH_DELAY = Duration.ofMillis(500);

    /** After such a pause the controller has begun anew: no batch takes as long. */
    private static final Duration LONGEST_BATCH = AssumedPods.LONGEST_CREATE.plusSeconds(6);

    private static final class PodCreation {
        private final Instant at;
        /** Null once the pod was seen. */
        private @Nullable AssumedPod pod;

        PodCreation(AssumedPod pod, Instant at) {
            this.pod = pod;
            this.at = at;
        }
    }

    /** The oldest is first. */
    private final List<PodCreation> creations = new ArrayList<>();
    /** How many pods may have been created before the first of these since the controller has begun anew. */
    private int created;

    private Instant latest = Instant.MIN;

    void add(AssumedPod pod) {
        Instant now = pod.assumedAt();
        if (!latest.equals(Instant.MIN) && latest.plus(LONGEST_BATCH).isBefore(now)) {
            creations.clear();
            created = 0;
        }
        latest = now;
        creations.add(new PodCreation(pod, now));
    }

    /** Whether some decision may end because of a newer one. */
    boolean isUnsettled() {
        return creations.size() > 1;
    }

    void seen(AssumedPod pod) {
        for (PodCreation creation : creations) {
            if (creation.pod == pod) {
                creation.pod = null;
                break;
            }
        }
        int leading = 0;
        while (leading < creations.size() && creations.get(leading).pod == null) {
            leading++;
        }
        created += leading;
        creations.subList(0, leading).clear();
    }

    /** The decision counts as never made. */
    void withdraw(AssumedPod pod) {
        creations.removeIf(creation -> creation.pod == pod);
    }

    /** Takes out the decisions whose pods would have been seen by now if they had been created. */
    List<AssumedPod> takeEnded(Instant now) {
        List<AssumedPod> ended = new ArrayList<>();
        int before = created;
        int done = 0;
        for (int i = 0; i < creations.size(); i++) {
            AssumedPod pod = creations.get(i).pod;
            int later = i + Integer.highestOneBit(before + 1);
            if (pod != null
                    && later < creations.size()
                    && !creations.get(later).at.plus(WATCH_DELAY).isAfter(now)) {
                ended.add(pod);
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
