package dev.sluice.bench;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * How far the two watches have told a recording. They begin when both kinds were listed, and none runs far ahead of the
 * other, because what has happened has happened for both.
 */
final class Playback {

    /** The two kinds that are watched. */
    enum Kind {
        NODE("Node"),
        POD("Pod");

        private final String word;

        Kind(String word) {
            this.word = word;
        }

        String word() {
            return word;
        }
    }

    /** At the pace that is reached these are less than a second. */
    private static final int MOST_AHEAD = 2_000;

    private final int changes;
    private final Map<Kind, Integer> told = new EnumMap<>(Kind.class);
    private boolean forgotten;

    Playback(int changes) {
        this.changes = changes;
    }

    /**
     * Waits until the watch of this kind may tell more than the first {@code at} changes, and returns up to which one;
     * {@code at} when the deadline is over or everything is forgotten.
     */
    synchronized int await(Kind kind, int at, long deadline) {
        told(kind, at);
        try {
            while (!isExpired(at) && limit(kind) <= at) {
                long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
                if (left <= 0) {
                    return at;
                }
                wait(left);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return at;
        }
        return isExpired(at) || System.nanoTime() - deadline >= 0 ? at : limit(kind);
    }

    /** Whether a watch from there has to end, because the past is forgotten. */
    synchronized boolean isExpired(int at) {
        return forgotten && at <= changes;
    }

    private int limit(Kind kind) {
        Integer other = told.get(kind == Kind.NODE ? Kind.POD : Kind.NODE);
        return other == null ? 0 : Math.min(changes, other + MOST_AHEAD);
    }

    /** The watch of this kind has told all of the first {@code at} changes that are of its kind. */
    synchronized void told(Kind kind, int at) {
        told.merge(kind, at, Math::max);
        notifyAll();
    }

    synchronized boolean isPlaying(Kind kind) {
        return !forgotten && told.containsKey(kind);
    }

    /** How many changes have happened; one more after all were forgotten. */
    synchronized int newest() {
        return forgotten
                ? changes + 1
                : told.values().stream().mapToInt(Integer::intValue).max().orElse(0);
    }

    synchronized boolean isForgotten() {
        return forgotten;
    }

    /** Ends both watches. */
    synchronized void forget() {
        forgotten = true;
        notifyAll();
    }
}
