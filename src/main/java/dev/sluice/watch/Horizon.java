package dev.sluice.watch;

import dev.sluice.cluster.ClusterEvent;
import dev.sluice.cluster.PodEvent;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/**
 * Up to which moment everything has been told. A read that began at a moment and saw version R proves that whatever was
 * stored before that moment has a version of at most R; when the watch has told everything up to R, it has told that.
 *
 * <p>Shared by the thread that watches and the one that reads; what is told here comes after the events it speaks of.
 */
final class Horizon {

    /**
     * Reads come every ten seconds and bookmarks every minute, so older ones have been overtaken by another history.
     */
    private static final int MOST_OPEN = 60;

    private record Read(Instant begun, long version) {}

    private final Consumer<ClusterEvent> listener;
    private final Deque<Read> open = new ArrayDeque<>();
    private long reached;

    Horizon(Consumer<ClusterEvent> listener) {
        this.listener = listener;
    }

    /** A list is being told: until it ends there is nothing else to tell, and it may be of another history. */
    synchronized void listing() {
        reached = 0;
        open.clear();
    }

    /** Everything up to this version has been handed to the listener. */
    synchronized void reached(long version) {
        reached = Math.max(reached, version);
        Instant moment = null;
        while (!open.isEmpty() && open.getFirst().version() <= reached) {
            moment = open.removeFirst().begun();
        }
        if (moment != null) {
            listener.accept(new PodEvent.ToldUpTo(moment));
        }
    }

    /** The version that has been reached. */
    synchronized long version() {
        return reached;
    }

    /** A read that began at this moment saw the cluster at this version. */
    synchronized void read(Instant begun, long version) {
        if (version <= reached) {
            listener.accept(new PodEvent.ToldUpTo(begun));
            return;
        }
        if (open.size() == MOST_OPEN) {
            open.removeFirst();
        }
        open.addLast(new Read(begun, version));
    }
}
