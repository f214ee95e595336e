package dev.sluice.bus;

import dev.sluice.cluster.UnreadableObjects;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The state of one watch.
 *
 * @param kind the objects that are watched
 * @param source the source and its address, for people
 * @param lists how many complete lists were published
 * @param lastHeardAt when the source last answered (at most a second behind), null before that
 * @param failures how many attempts have failed since the start
 * @param problem why the source does not answer now; empty while it does
 * @param access whether the source permits the watch
 * @param passedOver the objects that could not be read
 */
public record WatchStatus(
        ObjectKind kind,
        String source,
        long lists,
        @Nullable Instant lastHeardAt,
        long failures,
        String problem,
        Access access,
        UnreadableObjects passedOver) {

    /** The kinds of objects, each with a watch of its own. */
    public enum ObjectKind {
        NODES("nodes", "node"),
        PODS("pods", "pod");

        private final String word;
        private final String singular;

        ObjectKind(String word, String singular) {
            this.word = word;
            this.singular = singular;
        }

        /** The word in texts and in the label of metrics. */
        public String word() {
            return word;
        }

        /** The word for one object. */
        public String singular() {
            return singular;
        }
    }

    /** Only objects that are not needed may be withheld. */
    public enum Access {
        GRANTED,
        /** The service account may not list these objects, and no decision needs them. */
        WITHHELD
    }

    public static WatchStatus ofNew(ObjectKind kind, String source) {
        return new WatchStatus(kind, source, 0, null, 0, "", Access.GRANTED, UnreadableObjects.NONE);
    }

    /** True from the first complete list on, because the last known state stays in use. */
    public boolean isSynced() {
        return lists > 0 && !isWithheld();
    }

    public boolean isWithheld() {
        return access == Access.WITHHELD;
    }

    /** The lists after the first. */
    public long relists() {
        return Math.max(0, lists - 1);
    }

    public WatchStatus listed(Instant now) {
        return new WatchStatus(kind, source, lists + 1, now, failures, "", Access.GRANTED, passedOver);
    }

    public WatchStatus heard(Instant now) {
        return new WatchStatus(kind, source, lists, now, failures, "", Access.GRANTED, passedOver);
    }

    /** The source answers, but it has not been shown that the problem is over. */
    public WatchStatus answered(Instant now) {
        return new WatchStatus(kind, source, lists, now, failures, problem, access, passedOver);
    }

    public WatchStatus failed(String why) {
        return new WatchStatus(kind, source, lists, lastHeardAt, failures + 1, why, access, passedOver);
    }

    public WatchStatus withheld() {
        return new WatchStatus(kind, source, lists, lastHeardAt, failures, "", Access.WITHHELD, passedOver);
    }

    public WatchStatus passedOver(UnreadableObjects newest) {
        return new WatchStatus(kind, source, lists, lastHeardAt, failures, problem, access, newest);
    }
}
