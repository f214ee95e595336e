package dev.sluice.ledger;

import dev.sluice.cluster.PodId;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the stamps (the identifiers of decisions) of the pods that the watch has shown. A replica may receive a
 * decision of another replica after its own watch has shown the pod. Such a decision must reserve nothing, because the
 * pod is already counted or has ended.
 *
 * <p>A stamp is forgotten when its decision can no longer arrive. The replica that made the decision stops sending it
 * when its own watch shows the pod. This takes less than the longest time of a CREATE request, because a replica whose
 * watch is further behind makes no decisions.
 */
final class LedgerSeenStamps {

    /**
     * The maximum number of stamps in each of the sets {@link #newer} and {@link #older}. A stamp takes about 80 bytes,
     * so both sets together take at most 5 MiB. If {@link #newer} is full before {@link #keep} has passed, the stamps
     * in {@link #older} are forgotten early.
     */
    static final int MOST = 1 << 15;

    private final Duration keep;
    private Set<PodId> newer = new HashSet<>();
    private Set<PodId> older = Set.of();
    /**
     * Maps a replaced stamp to the newer stamp that has replaced it. The pod may have either stamp, because the API
     * server may have received either answer.
     */
    private Map<PodId, String> newerSuccessors = new HashMap<>();

    private Map<PodId, String> olderSuccessors = Map.of();
    /** The time up to which the watch had shown all pods when {@link #newer} was last replaced. */
    private Instant begun = Instant.MIN;

    /** @param keep the minimum time for which a stamp is remembered */
    LedgerSeenStamps(Duration keep) {
        this.keep = keep;
    }

    /** @param stamp the stamp of a pod; empty if the pod has none */
    void add(String stamp) {
        if (!stamp.isEmpty()) {
            newer.add(PodId.of(stamp));
            limit();
        }
    }

    /**
     * Records that a review was decided again, and that the new decision has the stamp (identifier) {@code by}. If the
     * watch has shown a pod with the older stamp, the new stamp also counts as shown, because both belong to the same
     * pod.
     */
    void replaced(String stamp, String by) {
        newerSuccessors.put(PodId.of(stamp), by);
        if (contains(stamp)) {
            newer.add(PodId.of(by));
        }
        limit();
    }

    /** Returns the stamp that has replaced this one; null if there is none. */
    @Nullable
    String successor(String stamp) {
        PodId id = PodId.of(stamp);
        String successor = newerSuccessors.get(id);
        return successor == null ? olderSuccessors.get(id) : successor;
    }

    private void limit() {
        if (newer.size() >= MOST || newerSuccessors.size() >= MOST) {
            startAnew();
        }
    }

    boolean contains(String stamp) {
        PodId id = PodId.of(stamp);
        return newer.contains(id) || older.contains(id);
    }

    /**
     * Forgets stamps that have been remembered for at least {@link #keep}.
     *
     * @param syncedUpTo the time up to which the watch has shown all stored pods
     */
    void advance(Instant syncedUpTo) {
        if (begun.equals(Instant.MIN)) {
            begun = syncedUpTo;
        } else if (!syncedUpTo.isBefore(begun.plus(keep))) {
            begun = syncedUpTo;
            startAnew();
        }
    }

    private void startAnew() {
        older = newer;
        newer = new HashSet<>();
        olderSuccessors = newerSuccessors;
        newerSuccessors = new HashMap<>();
    }
}
