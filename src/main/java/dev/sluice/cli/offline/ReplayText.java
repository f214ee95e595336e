package dev.sluice.cli.offline;

import dev.sluice.cli.console.Columns;
import dev.sluice.cli.console.TerminalPage;
import dev.sluice.cli.offline.ReplayTotals.CountedGroup;
import dev.sluice.cli.offline.ReplayedPod.Difference;
import dev.sluice.text.CountText;
import dev.sluice.text.ShortText;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;

/** Prints the results of a replay as text. */
record ReplayText(TerminalPage page) {

    private static final int MOST_GROUPS = 40;
    private static final int LONGEST_NAME = 40;
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss").withZone(ZoneOffset.UTC);

    /** Prints a pod on one line, and below it the messages that its user would have seen. */
    void pod(ReplayedPod pod) {
        ReplayedOutcome before = pod.before();
        page.words(
                time(pod.at()) + "  ",
                " ".repeat(21),
                pod.namespace() + "/" + pod.name() + " asks " + pod.asked() + ": "
                        + (before == null ? "?" : before.text()) + " → "
                        + pod.after().text() + " (" + pod.decision()
                        + (pod.reason().isEmpty() ? "" : ", " + pod.reason()) + ")");
        if (pod.difference() != Difference.SAME && !pod.sentence().isEmpty()) {
            page.words(" ".repeat(21), pod.sentence());
        }
    }

    /** Explains the unusual words that occur in the lines of the pods. */
    void legend(ReplayTotals totals) {
        page.line();
        if (totals.of(Difference.NOT_COMPARED) > 0) {
            page.words("", "?: the input does not tell what became of the pod, so it is not compared.");
        }
        if (totals.hasUnknownNames()) {
            page.words(
                    "",
                    "Where the log does not tell the generated name of a pod, the auditID of its creation stands behind"
                            + " the beginning of the name.");
        }
        if (totals.of(Difference.NOT_COMPARED) > 0 || totals.hasUnknownNames()) {
            page.line();
        }
    }

    void summary(ReplaySummary summary) {
        ReplayTotals totals = summary.totals();
        page.words(
                "",
                page.style()
                        .strong(CountText.of(totals.pods(), "pod that asks", "pods that ask")
                                + " for GPUs, decided again"));
        totals.first()
                .ifPresent(first -> page.words(
                        "  ",
                        "from " + time(first) + " to " + time(totals.last().orElse(first)) + " UTC"));
        page.words(
                "  ",
                "by the policy "
                        + (summary.policy().equals("defaults") ? "of the defaults" : summary.policy()) + ", on "
                        + CountText.of(summary.nodes(), "node"));
        page.line();
        for (Difference difference : Difference.values()) {
            long pods = totals.of(difference);
            if (pods > 0 || difference == Difference.SAME) {
                page.line("  %9s  %s".formatted(CountText.number(pods), difference.words()));
            }
        }
        if (summary.withoutGpu() > 0) {
            page.line("  %9s  ask for no GPU".formatted(CountText.number(summary.withoutGpu())));
        }
        boolean isShort = totals.groups().size() <= MOST_GROUPS;
        groups(isShort ? totals.groups() : totals.groupsOfAllOwners());
        if (!isShort) {
            page.words("", "The workloads of a row are counted together; -o json has each of them.");
        }
        notes(summary.notes());
    }

    private void groups(List<CountedGroup> groups) {
        if (groups.isEmpty()) {
            return;
        }
        page.line();
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("NAMESPACE", "ASKED", "OWNER", "BEFORE → AFTER", "PODS"));
        groups.stream()
                .limit(MOST_GROUPS)
                .forEach(counted -> rows.add(List.of(
                        cut(counted.group().namespace()),
                        cut(counted.group().asked()),
                        counted.group().owner().isEmpty()
                                ? "-"
                                : cut(counted.group().owner()),
                        cut(counted.group().before()) + " → "
                                + cut(counted.group().after()),
                        CountText.number(counted.pods()))));
        new Columns(page, 4).print(rows);
        int more = groups.size() - MOST_GROUPS;
        if (more > 0) {
            page.words("", "and " + CountText.of(more, "smaller group"));
        }
    }

    private void notes(List<String> notes) {
        if (!notes.isEmpty()) {
            page.line();
            page.line("To be noted:");
            notes.forEach(note -> page.words("  - ", "    ", note));
        }
    }

    private static String cut(String text) {
        return ShortText.ofMiddle(text, LONGEST_NAME);
    }

    private static String time(Instant time) {
        return TIME.format(time);
    }
}
