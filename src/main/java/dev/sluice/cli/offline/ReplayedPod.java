package dev.sluice.cli.offline;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A pod that asks for GPUs, with its outcome in the past and the new decision of the replay.
 *
 * @param asked the names of the GPU resources that the pod asks for
 * @param before the outcome in the past; null if the input does not contain it, or if it is not compared
 * @param after the outcome of the new decision
 * @param decision the word of the new decision
 * @param sentence the message with which the new decision would be explained to the user; empty if there is none
 */
record ReplayedPod(
        Instant at,
        String namespace,
        String name,
        String owner,
        String asked,
        @Nullable ReplayedOutcome before,
        ReplayedOutcome after,
        String decision,
        String reason,
        String sentence) {

    /** The results of the comparison of the new outcome of a pod with its outcome in the past. */
    enum Difference {
        SAME("as before"),
        OTHER_GPUS("other GPUs"),
        DENIED("would be denied"),
        ADMITTED("would be admitted"),
        WAITS("would wait"),
        KEPT("would find no node"),
        WAITS_NOT("would not wait"),
        NOT_COMPARED("not compared");

        private final String words;

        Difference(String words) {
            this.words = words;
        }

        String words() {
            return words;
        }
    }

    Difference difference() {
        if (before == null) {
            return Difference.NOT_COMPARED;
        }
        boolean wasDenied = before.equals(ReplayedOutcome.DENIED);
        boolean isDenied = after.equals(ReplayedOutcome.DENIED);
        if (wasDenied != isDenied) {
            return isDenied ? Difference.DENIED : Difference.ADMITTED;
        }
        if (before.equals(after) || (before.equals(ReplayedOutcome.CHANGED) && decision.equals("changed"))) {
            return Difference.SAME;
        }
        if (after.isPendingOf(before)) {
            return after.equals(before.waiting()) ? Difference.WAITS : Difference.KEPT;
        }
        return before.isPendingOf(after) ? Difference.WAITS_NOT : Difference.OTHER_GPUS;
    }
}
