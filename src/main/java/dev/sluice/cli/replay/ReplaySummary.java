package dev.sluice.cli.replay;

import dev.sluice.cli.replay.LeftOutLines.LeftOutTotal;
import dev.sluice.text.CountText;
import java.util.ArrayList;
import java.util.List;

/**
 * What is known when everything was replayed.
 *
 * @param policy the name of the configuration file, or {@code defaults}
 * @param nodes the number of nodes of the cluster
 * @param withoutGpu the pods that ask for no GPU
 * @param unreadable the pods that a gateway could not have read
 * @param late what came too late for its order
 */
record ReplaySummary(
        String policy,
        int nodes,
        ReplayTotals totals,
        List<LeftOutTotal> leftOut,
        long withoutGpu,
        long unreadable,
        long late) {

    /** Returns a sentence for each thing that limits the result. */
    List<String> notes() {
        List<String> notes = new ArrayList<>();
        leftOut.forEach(one -> notes.add(one.sentence()));
        if (unreadable > 0) {
            notes.add(CountText.of(unreadable, "pod is", "pods are") + " such that a gateway cannot read "
                    + (unreadable == 1 ? "it" : "them"));
        }
        if (late > 0) {
            notes.add(CountText.of(late, "event came", "events came")
                    + " more than a minute late, and counted when "
                    + (late == 1 ? "it" : "they") + " came");
        }
        return notes;
    }
}
