package dev.sluice.cli.offline;

import dev.sluice.cli.offline.ReplayOmissions.LeftOutTotal;
import dev.sluice.text.CountText;
import java.util.ArrayList;
import java.util.List;

/**
 * The totals at the end of a replay.
 *
 * @param policy the name of the configuration file, or {@code defaults}
 * @param nodes the number of nodes of the cluster
 * @param withoutGpu the number of pods that ask for no GPU
 * @param held the number of pods that were refused in the past and are admitted by the replay. Each of them holds GPUs
 *     until the pod is created in a later attempt, or until the replay ends
 * @param repeated the number of refused creations that are left out, because the replay has admitted an earlier attempt
 *     to create the same pod
 * @param late the number of events that were read too late to be sorted by time
 */
record ReplaySummary(
        String policy,
        int nodes,
        ReplayTotals totals,
        List<LeftOutTotal> leftOut,
        long withoutGpu,
        long held,
        long repeated,
        long late) {

    /** Returns a sentence for each fact that makes the result less certain. */
    List<String> notes() {
        List<String> notes = new ArrayList<>();
        leftOut.forEach(one -> notes.add(one.sentence()));
        if (held > 0) {
            notes.add(CountText.of(held, "pod was", "pods were")
                    + " refused and would be admitted; what "
                    + (held == 1 ? "it is" : "they are")
                    + " given is in use until a later try was not refused, or until the end, because no end is known");
        }
        if (repeated > 0) {
            notes.add(CountText.of(repeated, "refused creation repeats", "refused creations repeat")
                    + " an earlier one that would be admitted, and "
                    + (repeated == 1 ? "is" : "are") + " not counted as "
                    + (repeated == 1 ? "another pod" : "other pods"));
        }
        if (late > 0) {
            notes.add(CountText.of(late, "event came", "events came")
                    + " more than a minute late, and counted when "
                    + (late == 1 ? "it" : "they") + " came");
        }
        return notes;
    }
}
