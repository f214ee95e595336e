package dev.sluice.watch;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/**
 * Up to which moment everything of one kind has been told. A read that began at a moment and saw version R proves that
 * whatever was stored before that moment has a version of at most R; when the watch has told everything up to R, it has
 * told that.
 *
 * <p>Shared by the thread that watches and the one that reads; what is told here comes after the events it speaks of.
 */
final class FreshnessProbe {

    /** Reads come every few seconds and bookmarks too, so older ones have been overtaken by another history. */
    private static final int MOST_OPEN = 60;

    private record Read(Instant begun, long version) {}

    private final InstantSource clock;
    private final Consumer<Instant> told;
    private final Deque<Read> open = new ArrayDeque<>();
    private Instant proved = Instant.MIN;
    private long reached;

    /** The newest version that a list, a watch or a read has shown. */
    private long newest;

    /** {@code told} is given each moment that is proved. */
    FreshnessProbe(InstantSource clock, Consumer<Instant> told) {
        this.clock = clock;
        this.told = told;
    }

    /** A list is being told: until it ends there is nothing else to tell, and it may be of another history. */
    synchronized void listing() {
        reached = 0;
        open.clear();
    }

    /**
     * A list that was asked for at this moment is complete.
     *
     * @return the moment that it proves; {@link Instant#MIN} for a list older than what was shown before: an API server
     *     that was restored from a backup is believed only once a read says the same
     */
    synchronized Instant listed(Instant asked, long version) {
        proved = version < newest ? Instant.MIN : asked;
        newest = version;
        reached = version;
        return proved;
    }

    /** Everything up to this version has been handed to the listener. */
    synchronized void reached(long version) {
        reached = Math.max(reached, version);
        newest = Math.max(newest, reached);
        Instant moment = null;
        while (!open.isEmpty() && open.getFirst().version() <= reached) {
            moment = open.removeFirst().begun();
        }
        if (moment != null) {
            prove(moment);
        }
    }

    private void prove(Instant moment) {
        if (!moment.isBefore(proved)) {
            proved = moment;
            told.accept(moment);
        }
    }

    /** The version that has been reached; 0 while there is no complete list. */
    synchronized long version() {
        return reached;
    }

    /** A read that began at this moment saw the cluster at this version. */
    synchronized void read(Instant begun, long version) {
        newest = Math.max(newest, version);
        if (version <= reached) {
            prove(begun);
            return;
        }
        if (open.size() == MOST_OPEN) {
            open.removeFirst();
        }
        open.addLast(new Read(begun, version));
    }

    /** No proof is younger than this. */
    synchronized boolean isOlderThan(Duration age) {
        return Duration.between(proved, clock.instant()).compareTo(age) > 0;
    }
}
