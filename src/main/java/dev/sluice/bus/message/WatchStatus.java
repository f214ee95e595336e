package dev.sluice.bus.message;

import dev.sluice.event.UnreadableObjects;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How well the cluster is known.
 *
 * @param kind what is watched
 * @param source the same and where, for people
 * @param lists complete lists that were told
 * @param lastHeardAt when the source last said anything (at most a second behind), null before that
 * @param failures attempts that failed, since the start
 * @param problem why the source cannot be heard now; empty while it can
 * @param access whether the source lets itself be asked
 * @param passedOver what it told that could not be read
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

    /** Each is watched by itself. */
    public enum ObjectKind {
        NODES("nodes", "node"),
        PODS("pods", "pod");

        private final String word;
        private final String singular;

        ObjectKind(String word, String singular) {
            this.word = word;
            this.singular = singular;
        }

        /** In texts and in the label of metrics. */
        public String word() {
            return word;
        }

        /** The word for one of them. */
        public String singular() {
            return singular;
        }
    }

    /** What is not needed may be withheld. */
    public enum Access {
        GRANTED,
        /** The account may not list these, and no decision needs them. */
        WITHHELD
    }

    public static WatchStatus ofNew(ObjectKind kind, String source) {
        return new WatchStatus(kind, source, 0, null, 0, "", Access.GRANTED, UnreadableObjects.NONE);
    }

    /** True from the first complete list on: whatever happens then, the last state known stays in use. */
    public boolean isSynced() {
        return lists > 0 && !isWithheld();
    }

    public boolean isWithheld() {
        return access == Access.WITHHELD;
    }

    /** Lists beyond the first. */
    public long relists() {
        return Math.max(0, lists - 1);
    }

    public WatchStatus listed(Instant now) {
        return new WatchStatus(kind, source, lists + 1, now, failures, "", Access.GRANTED, passedOver);
    }

    public WatchStatus heard(Instant now) {
        return new WatchStatus(kind, source, lists, now, failures, "", Access.GRANTED, passedOver);
    }

    /** The source answers, but has not told anything yet that would say that what was wrong is over. */
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
