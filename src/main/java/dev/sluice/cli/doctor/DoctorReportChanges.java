package dev.sluice.cli.doctor;

import dev.sluice.doctor.ClusterDiagnosis;
import dev.sluice.doctor.DiagnosisGroup;
import dev.sluice.doctor.NodeFindings.Finding;
import dev.sluice.doctor.PodDiagnosis;
import dev.sluice.doctor.facts.ClusterFacts.UnreadObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Finds the verdicts and findings that were added, changed or removed between two reports. If only the explanation has
 * changed, for example a number in it, the verdict or finding counts as unchanged.
 */
final class DoctorReportChanges {

    /**
     * A verdict or finding, with its explanation.
     *
     * @param object the beginning of the printed sentence, for example {@code pod team/train}
     * @param title the title of the verdict; empty if {@code object} already contains it
     * @param why the explanation; empty if {@code object} already contains it
     */
    private record ReportEntry(String object, String title, String why) {
        String blankAndTitle() {
            return title.isEmpty() ? "" : " " + title;
        }

        String colonAndWhy() {
            return why.isEmpty() ? "" : ": " + why;
        }
    }

    private DoctorReportChanges() {}

    /** Returns one sentence for each change, in alphabetical order of the objects. */
    static List<String> between(ClusterDiagnosis before, ClusterDiagnosis after) {
        List<String> changes = new ArrayList<>(between(pods(before), pods(after)));
        changes.addAll(between(nodes(before), nodes(after)));
        changes.addAll(between(unchecked(before), unchecked(after)));
        return changes;
    }

    private static List<String> between(Map<String, ReportEntry> before, Map<String, ReportEntry> after) {
        Map<String, String> changes = new TreeMap<>();
        after.forEach((key, now) -> {
            ReportEntry then = before.get(key);
            if (then == null) {
                changes.put(key, "+ " + now.object() + now.blankAndTitle() + now.colonAndWhy());
            } else if (!then.title().equals(now.title())) {
                changes.put(key, "~ " + now.object() + " " + then.title() + " -> " + now.title() + now.colonAndWhy());
            }
        });
        before.forEach((key, then) -> {
            if (!after.containsKey(key)) {
                changes.put(key, "- " + then.object() + then.blankAndTitle());
            }
        });
        return List.copyOf(changes.values());
    }

    private static Map<String, ReportEntry> pods(ClusterDiagnosis report) {
        Map<String, ReportEntry> pods = new TreeMap<>();
        for (PodDiagnosis pod : report.pods()) {
            String object = "pod " + pod.fullName();
            pods.put(object, new ReportEntry(object, DiagnosisGroup.title(pod), pod.explanation()));
        }
        return pods;
    }

    /**
     * Returns the findings of all nodes, by node and kind of finding. A node has at most one finding of each kind, so
     * the keys are unique.
     */
    private static Map<String, ReportEntry> nodes(ClusterDiagnosis report) {
        Map<String, ReportEntry> findings = new TreeMap<>();
        report.nodes().forEach(node -> {
            for (Finding finding : node.findings()) {
                String object = "node " + node.name() + " " + finding.code().word();
                findings.put(object, new ReportEntry(object, "", finding.explanation()));
            }
        });
        return findings;
    }

    /**
     * Returns what was not checked: an entry for each kind that was not checked at all, and an entry for each unchecked
     * object of the other kinds.
     */
    private static Map<String, ReportEntry> unchecked(ClusterDiagnosis report) {
        Map<String, ReportEntry> unchecked = new TreeMap<>();
        for (UnreadObject unread : report.unchecked()) {
            String kind = "unchecked " + unread.plural();
            if (unread.objects() == 0) {
                unchecked.put(kind, new ReportEntry(kind, "", unread.why()));
            } else {
                unchecked.put(kind + ": " + unread.name(), new ReportEntry(kind + ": " + unread.why(), "", ""));
            }
        }
        return unchecked;
    }
}
