package dev.sluice.kube.watch;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/**
 * Proves that the received state of one kind of object is complete up to a point in time. A read of the API server that
 * begins at moment T and returns resourceVersion R proves that everything stored before T has a resourceVersion of at
 * most R. When the watch has delivered all events up to R, the received state is complete up to T.
 *
 * <p>The thread of the reflector and the thread of {@link WatchFreshnessReads} share this object. The listener receives
 * a time only after all events before that time have been delivered.
 */
final class WatchFreshnessProbe {

    /**
     * The maximum number of reads that the watch has not confirmed yet. The watch confirms a read when it has delivered
     * all events before the read. Above the maximum, the oldest reads are dropped. This happens only after the API
     * server was restored from a backup.
     */
    private static final int MAX_PENDING_READS = 60;

    private record PendingRead(Instant start, long version) {}

    private final InstantSource clock;
    private final Consumer<Instant> listener;
    private final boolean hasReads;
    private final Deque<PendingRead> pendingReads = new ArrayDeque<>();
    private Instant syncedUpTo = Instant.MIN;
    private long syncedVersion;

    /** The highest resourceVersion that a list, a watch or a read has returned. */
    private long newestVersion;

    /**
     * Creates a probe.
     *
     * @param listener a callback that receives the time up to which the state is complete, each time after a new proof
     */
    WatchFreshnessProbe(InstantSource clock, Consumer<Instant> listener) {
        this(clock, listener, /* hasReads= */ true);
    }

    private WatchFreshnessProbe(InstantSource clock, Consumer<Instant> listener, boolean hasReads) {
        this.clock = clock;
        this.listener = listener;
        this.hasReads = hasReads;
    }

    /** Creates a probe without reads. Such a probe never proves that the state is complete. */
    static WatchFreshnessProbe withoutReads(InstantSource clock) {
        return new WatchFreshnessProbe(clock, _ -> {}, /* hasReads= */ false);
    }

    /**
     * Records that a list begins. Until the list ends, no read proves that the state is complete, because the API
     * server may have been restored from a backup.
     */
    synchronized void listBegins() {
        syncedVersion = 0;
        pendingReads.clear();
    }

    /**
     * Records that a list is complete.
     *
     * @param start the time at which the list was requested
     * @return the time up to which the state is complete. It is {@link Instant#MIN} if the API server returned a higher
     *     resourceVersion before. The API server was then probably restored from a backup, and its state counts as
     *     current only after another read confirms it.
     */
    synchronized Instant listEnds(Instant start, long version) {
        syncedUpTo = version < newestVersion ? Instant.MIN : start;
        newestVersion = version;
        syncedVersion = version;
        return syncedUpTo;
    }

    /** Records that all events up to this resourceVersion have been delivered. */
    synchronized void reached(long version) {
        syncedVersion = Math.max(syncedVersion, version);
        newestVersion = Math.max(newestVersion, syncedVersion);
        Instant moment = null;
        while (!pendingReads.isEmpty() && pendingReads.getFirst().version() <= syncedVersion) {
            moment = pendingReads.removeFirst().start();
        }
        if (moment != null) {
            confirm(moment);
        }
    }

    private void confirm(Instant moment) {
        if (!moment.isBefore(syncedUpTo)) {
            syncedUpTo = moment;
            listener.accept(moment);
        }
    }

    /**
     * Returns the bookmark, or the highest resourceVersion that a list, an event or a read has returned if that is
     * lower. An API server with a fault may send a bookmark for changes that are still to come. If there are no reads,
     * returns the bookmark.
     */
    synchronized long believed(long bookmark) {
        return hasReads ? Math.min(bookmark, newestVersion) : bookmark;
    }

    /** Returns the resourceVersion up to which events have been delivered; 0 if there is no complete list. */
    synchronized long syncedVersion() {
        return syncedVersion;
    }

    /** Records that a read that began at {@code start} returned this resourceVersion. */
    synchronized void read(Instant start, long version) {
        newestVersion = Math.max(newestVersion, version);
        if (version <= syncedVersion) {
            confirm(start);
            return;
        }
        if (pendingReads.size() == MAX_PENDING_READS) {
            pendingReads.removeFirst();
        }
        pendingReads.addLast(new PendingRead(start, version));
    }

    synchronized boolean isOlderThan(Duration age) {
        return Duration.between(syncedUpTo, clock.instant()).compareTo(age) > 0;
    }
}
