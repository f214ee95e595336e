package dev.sluice.bus;

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
 */
public record WatchStatus(
        Kind kind, String source, long lists, @Nullable Instant lastHeardAt, long failures, String problem) {

    /** Each is watched by itself. */
    public enum Kind {
        NODES("nodes"),
        PODS("pods");

        private final String word;

        Kind(String word) {
            this.word = word;
        }

        /** In texts and in the label of metrics. */
        public String word() {
            return word;
        }
    }

    public static WatchStatus ofNew(Kind kind, String source) {
        return new WatchStatus(kind, source, 0, null, 0, "");
    }

    /** True from the first complete list on: whatever happens then, the last state known stays in use. */
    public boolean isSynced() {
        return lists > 0;
    }

    /** Lists beyond the first. */
    public long relists() {
        return Math.max(0, lists - 1);
    }

    /** The same for another kind, where one source tells both at once. */
    public WatchStatus of(Kind other) {
        return new WatchStatus(other, source, lists, lastHeardAt, failures, problem);
    }

    public WatchStatus listed(Instant now) {
        return new WatchStatus(kind, source, lists + 1, now, failures, "");
    }

    public WatchStatus heard(Instant now) {
        return new WatchStatus(kind, source, lists, now, failures, "");
    }

    public WatchStatus failed(String why) {
        return new WatchStatus(kind, source, lists, lastHeardAt, failures + 1, why);
    }
}
