package dev.sluice.cli.doctor;

import dev.sluice.doctor.ClusterDiagnosis;
import dev.sluice.doctor.NodeFindings.Finding;
import dev.sluice.doctor.PodVerdict;
import dev.sluice.doctor.VerdictGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Finds the verdicts and findings that were added, changed or removed between two reports. A change of the explanation
 * only, for example of its numbers, does not count.
 */
final class DoctorReportChanges {

    /** A verdict or finding, with its explanation. The title is empty if it is already a part of the key in the map. */
    private record ReportEntry(String title, String why) {
        String blankAndTitle() {
            return title.isEmpty() ? "" : " " + title;
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
        after.forEach((object, now) -> {
            ReportEntry then = before.get(object);
            if (then == null) {
                changes.put(object, "+ " + object + now.blankAndTitle() + ": " + now.why());
            } else if (!then.title().equals(now.title())) {
                changes.put(object, "~ " + object + " " + then.title() + " -> " + now.title() + ": " + now.why());
            }
        });
        before.forEach((object, then) -> {
            if (!after.containsKey(object)) {
                changes.put(object, "- " + object + then.blankAndTitle());
            }
        });
        return List.copyOf(changes.values());
    }

    private static Map<String, ReportEntry> pods(ClusterDiagnosis report) {
        Map<String, ReportEntry> pods = new TreeMap<>();
        for (PodVerdict pod : report.pods()) {
            pods.put("pod " + pod.fullName(), new ReportEntry(VerdictGroup.title(pod), pod.explanation()));
        }
        return pods;
    }

    /**
     * Returns the findings of all nodes, by node and kind of finding. A node has each kind only once, so the keys are
     * unique.
     */
    private static Map<String, ReportEntry> nodes(ClusterDiagnosis report) {
        Map<String, ReportEntry> findings = new TreeMap<>();
        report.nodes().forEach(node -> {
            for (Finding finding : node.findings()) {
                String word = finding.code().word();
                findings.put("node " + node.name() + " " + word, new ReportEntry("", finding.explanation()));
            }
        });
        return findings;
    }

    private static Map<String, ReportEntry> unchecked(ClusterDiagnosis report) {
        Map<String, ReportEntry> unchecked = new TreeMap<>();
        report.unchecked()
                .forEach(object -> unchecked.put("unchecked " + object.plural(), new ReportEntry("", object.why())));
        return unchecked;
    }
}
