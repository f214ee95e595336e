package dev.sluice.cli.offline;

import dev.sluice.cli.offline.ReplayOmissions.LeftOutTotal;
import dev.sluice.cli.offline.ReplayTotals.CountedGroup;
import dev.sluice.cli.offline.ReplayedPod.Difference;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The results as {@code -o json} prints them. The page replay.md describes each field. */
record ReplayDocument(
        String policy,
        int nodes,
        @Nullable Instant from,
        @Nullable Instant to,
        long pods,
        long same,
        long otherGpus,
        long denied,
        long admitted,
        long waits,
        long kept,
        long waitsNot,
        long notCompared,
        long withoutGpu,
        List<ReplayedGroup> groups,
        List<LeftOutCount> leftOut,
        List<String> notes) {

    /** A group of pods of one owner whose result would change in the same way. */
    record ReplayedGroup(
            String namespace,
            String asked,
            @Nullable String owner,
            String before,
            String after,
            String difference,
            long pods,
            String example,
            @Nullable String sentence) {

        private static ReplayedGroup of(CountedGroup counted) {
            ReplayTotals.Group group = counted.group();
            return new ReplayedGroup(
                    group.namespace(),
                    group.asked(),
                    presence(group.owner()),
                    group.before(),
                    group.after(),
                    group.difference().words(),
                    counted.pods(),
                    counted.example(),
                    presence(counted.sentence()));
        }
    }

    /** A reason why input was not replayed, or was replayed only partly, with the number of its occurrences. */
    record LeftOutCount(String cause, long count, String first) {

        private static LeftOutCount of(LeftOutTotal one) {
            return new LeftOutCount(one.cause().name(), one.count(), one.first());
        }
    }

    /** A pod, as {@code --pods} prints it. */
    record ReplayedPodLine(
            Instant time,
            String namespace,
            String name,
            @Nullable String owner,
            String asked,
            @Nullable String before,
            String after,
            String difference,
            String decision,
            @Nullable String reason,
            @Nullable String sentence) {

        static ReplayedPodLine of(ReplayedPod pod) {
            ReplayedOutcome before = pod.before();
            return new ReplayedPodLine(
                    pod.at(),
                    pod.namespace(),
                    pod.name(),
                    presence(pod.owner()),
                    pod.asked(),
                    before == null ? null : before.text(),
                    pod.after().text(),
                    pod.difference().words(),
                    pod.decision(),
                    presence(pod.reason()),
                    presence(pod.sentence()));
        }
    }

    static ReplayDocument of(ReplaySummary summary) {
        ReplayTotals totals = summary.totals();
        return new ReplayDocument(
                summary.policy(),
                summary.nodes(),
                totals.first().orElse(null),
                totals.last().orElse(null),
                totals.pods(),
                totals.of(Difference.SAME),
                totals.of(Difference.OTHER_GPUS),
                totals.of(Difference.DENIED),
                totals.of(Difference.ADMITTED),
                totals.of(Difference.WAITS),
                totals.of(Difference.KEPT),
                totals.of(Difference.WAITS_NOT),
                totals.of(Difference.NOT_COMPARED),
                summary.withoutGpu(),
                totals.groups().stream().map(ReplayedGroup::of).toList(),
                summary.leftOut().stream().map(LeftOutCount::of).toList(),
                summary.notes());
    }

    private static @Nullable String presence(String text) {
        return text.isEmpty() ? null : text;
    }
}
