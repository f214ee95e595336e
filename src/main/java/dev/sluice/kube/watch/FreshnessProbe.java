package dev.sluice.kube.watch;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/**
 * Proves up to which moment the watch of one kind is synced. A read that began at a moment and returned version R
 * proves that everything stored before that moment has a version of at most R. Once the watch has delivered everything
 * up to R, it is synced up to that moment.
 *
 * <p>The threads of the reflector and of {@link FreshnessReads} share it. What the listener is told here comes after
 * the events that it is about.
 */
final class FreshnessProbe {

    /** Reads and bookmarks both come every few seconds, so older reads belong to a history that is gone. */
    private static final int MAX_PENDING_READS = 60;

    private record PendingRead(Instant start, long version) {}

    private final InstantSource clock;
    private final Consumer<Instant> listener;
    private final Deque<PendingRead> pendingReads = new ArrayDeque<>();
    private Instant syncedUpTo = Instant.MIN;
    private long syncedVersion;

    /** The newest version that a list, a watch or a read has returned. */
    private long newestVersion;

    /** @param listener receives each moment that is proved */
    FreshnessProbe(InstantSource clock, Consumer<Instant> listener) {
        this.clock = clock;
        this.listener = listener;
    }

    /** A list is being handed over. Nothing is proved until it ends, because it may be of another history. */
    synchronized void listBegins() {
        syncedVersion = 0;
        pendingReads.clear();
    }

    /**
     * A list that was requested at {@code start} is complete.
     *
     * @return the moment that it proves; {@link Instant#MIN} for a list that is older than what was returned before: an
     *     API server that was restored from a backup is believed only once a read confirms it
     */
    synchronized Instant listEnds(Instant start, long version) {
        syncedUpTo = version < newestVersion ? Instant.MIN : start;
        newestVersion = version;
        syncedVersion = version;
        return syncedUpTo;
    }

    /** The events up to this version have been handed over. */
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

    /** The version up to which events have been handed over; 0 while there is no complete list. */
    synchronized long syncedVersion() {
        return syncedVersion;
    }

    /** A read that began at {@code start} returned this version. */
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
