package dev.sluice.bus;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How well the cluster is known.
 *
 * @param source what is watched, for people
 * @param lists complete lists that were told
 * @param lastHeardAt when the source last said anything (at most a second behind), null before that
 * @param failures attempts that failed, since the start
 * @param problem why the source cannot be heard now; empty while it can
 */
public record WatchStatus(
        String source, long lists, @Nullable Instant lastHeardAt, long failures, String problem) {

    public static WatchStatus ofNew(String source) {
        return new WatchStatus(source, 0, null, 0, "");
    }

    /** True from the first complete list on: whatever happens then, the last state known stays in use. */
    public boolean isSynced() {
        return lists > 0;
    }

    /** Lists beyond the first. */
    public long relists() {
        return Math.max(0, lists - 1);
    }

    public WatchStatus listed(Instant now) {
        return new WatchStatus(source, lists + 1, now, failures, "");
    }

    public WatchStatus heard(Instant now) {
        return new WatchStatus(source, lists, now, failures, "");
    }

    public WatchStatus failed(String why) {
        return new WatchStatus(source, lists, lastHeardAt, failures + 1, why);
    }
}
