package dev.sluice.bus;

import dev.sluice.cluster.UnreadableObjects;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The state of one watch.
 *
 * @param kind the kind of objects that are watched
 * @param source the source and its address, as text for people
 * @param lists the number of complete lists that were published
 * @param lastHeardAt the time at which the source last answered, at most a second late; null before the first answer
 * @param failures the number of failed attempts since the start
 * @param problem the reason why the source does not answer now; empty if it does
 * @param access says whether the source permits the watch
 * @param unreadable the objects that could not be read
 */
public record WatchStatus(
        ObjectKind kind,
        String source,
        long lists,
        @Nullable Instant lastHeardAt,
        long failures,
        String problem,
        Access access,
        UnreadableObjects unreadable) {

    /** The kinds of objects. Each kind has a watch of its own. */
    public enum ObjectKind {
        NODES("nodes", "node"),
        PODS("pods", "pod");

        private final String word;
        private final String singular;

        ObjectKind(String word, String singular) {
            this.word = word;
            this.singular = singular;
        }

        /** Returns the plural, for texts and for the label of metrics. */
        public String word() {
            return word;
        }

        /** Returns the singular. */
        public String singular() {
            return singular;
        }
    }

    /** Says whether the source permits the watch. Only objects that no decision needs may be withheld. */
    public enum Access {
        GRANTED,
        /** The service account may not list these objects, and no decision needs them. */
        WITHHELD
    }

    public static WatchStatus ofNew(ObjectKind kind, String source) {
        return new WatchStatus(kind, source, 0, null, 0, "", Access.GRANTED, UnreadableObjects.NONE);
    }

    /**
     * Returns true from the first complete list on. It stays true during problems, because the last known state stays
     * in use.
     */
    public boolean isSynced() {
        return lists > 0 && !isWithheld();
    }

    public boolean isWithheld() {
        return access == Access.WITHHELD;
    }

    /** Returns the number of lists after the first. */
    public long relists() {
        return Math.max(0, lists - 1);
    }

    public WatchStatus listed(Instant now) {
        return new WatchStatus(kind, source, lists + 1, now, failures, "", Access.GRANTED, unreadable);
    }

    public WatchStatus heard(Instant now) {
        return new WatchStatus(kind, source, lists, now, failures, "", Access.GRANTED, unreadable);
    }

    /** Returns the status after an answer that does not prove that the problem is over. */
    public WatchStatus answered(Instant now) {
        return new WatchStatus(kind, source, lists, now, failures, problem, access, unreadable);
    }

    public WatchStatus failed(String why) {
        return new WatchStatus(kind, source, lists, lastHeardAt, failures + 1, why, access, unreadable);
    }

    public WatchStatus withheld() {
        return new WatchStatus(kind, source, lists, lastHeardAt, failures, "", Access.WITHHELD, unreadable);
    }

    public WatchStatus unreadable(UnreadableObjects newest) {
        return new WatchStatus(kind, source, lists, lastHeardAt, failures, problem, access, newest);
    }
}
