package dev.sluice.bus;

import dev.sluice.cluster.MalformedClusterObjects;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The state of the watch of one kind of object.
 *
 * @param kind the kind of object that is watched
 * @param source a text for people that says where the objects come from, such as the API server with its address
 * @param lists the number of complete lists of objects that were published
 * @param lastHeardAt the time at which the source last answered; null before the first answer. It may be up to a second
 *     too early, because not every answer is recorded
 * @param failures the number of failed attempts since the start
 * @param problem the reason why the source does not answer now; empty if it answers
 * @param access whether the source permits the watch
 * @param unreadable the objects that could not be decoded
 */
public record WatchStatusMessage(
        ObjectKind kind,
        String source,
        long lists,
        @Nullable Instant lastHeardAt,
        long failures,
        String problem,
        Access access,
        MalformedClusterObjects unreadable) {

    /** The kinds of objects that are watched. */
    public enum ObjectKind {
        NODES("nodes", "node"),
        PODS("pods", "pod");

        private final String word;
        private final String singular;

        ObjectKind(String word, String singular) {
            this.word = word;
            this.singular = singular;
        }

        /** Returns the plural of the kind, for texts and for the label of metrics. */
        public String word() {
            return word;
        }

        /** Returns the singular of the kind, for texts. */
        public String singular() {
            return singular;
        }
    }

    /** Says if the source permits the watch. */
    public enum Access {
        GRANTED,
        /** The service account may not list these objects, and no decision needs them. */
        WITHHELD
    }

    public static WatchStatusMessage ofNew(ObjectKind kind, String source) {
        return new WatchStatusMessage(kind, source, 0, null, 0, "", Access.GRANTED, MalformedClusterObjects.NONE);
    }

    /**
     * Returns true after the first complete list. The result stays true if the watch fails later, because the last
     * known state stays in use.
     */
    public boolean isSynced() {
        return lists > 0 && !isWithheld();
    }

    public boolean isWithheld() {
        return access == Access.WITHHELD;
    }

    /** Returns the number of complete lists after the first one. */
    public long relists() {
        return Math.max(0, lists - 1);
    }

    public WatchStatusMessage listed(Instant now) {
        return new WatchStatusMessage(kind, source, lists + 1, now, failures, "", Access.GRANTED, unreadable);
    }

    public WatchStatusMessage heard(Instant now) {
        return new WatchStatusMessage(kind, source, lists, now, failures, "", Access.GRANTED, unreadable);
    }

    /**
     * Returns the status after an answer of the source. {@code problem} stays, because an answer alone does not prove
     * that the problem has ended.
     */
    public WatchStatusMessage answered(Instant now) {
        return new WatchStatusMessage(kind, source, lists, now, failures, problem, access, unreadable);
    }

    public WatchStatusMessage failed(String why) {
        return new WatchStatusMessage(kind, source, lists, lastHeardAt, failures + 1, why, access, unreadable);
    }

    public WatchStatusMessage withheld() {
        return new WatchStatusMessage(kind, source, lists, lastHeardAt, failures, "", Access.WITHHELD, unreadable);
    }

    public WatchStatusMessage unreadable(MalformedClusterObjects newest) {
        return new WatchStatusMessage(kind, source, lists, lastHeardAt, failures, problem, access, newest);
    }
}
