package dev.sluice.cli.doctor;

import dev.sluice.cli.console.TerminalPage;
import dev.sluice.diagnosis.facts.ClusterFacts.UnreadObject;
import dev.sluice.diagnosis.facts.FirstFive;
import dev.sluice.diagnosis.node.FindingCode;
import dev.sluice.diagnosis.node.NodeFindings.Finding;
import dev.sluice.diagnosis.path.VerdictCode;
import dev.sluice.diagnosis.verdict.ClusterReport;
import dev.sluice.diagnosis.verdict.ClusterReport.NodeReport;
import dev.sluice.diagnosis.verdict.PodVerdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Prints a report for people: the sentence that matters, the causes with the most pods first, then the nodes. */
record DoctorText(TerminalPage page) {

    private static final String INDENT = "  ";

    void print(ClusterReport report) {
        headline(report.pods());
        groups(report.pods()).forEach(this::cause);
        nodes(report.nodes());
        unchecked(report.unchecked());
    }

    private void headline(List<PodVerdict> pods) {
        long lasting = pods.stream().filter(DoctorText::isLasting).count();
        String sentence = pods.isEmpty()
                ? "No pod asks for a GPU."
                : lasting + " of " + pods.size() + " GPU " + (pods.size() == 1 ? "pod waits" : "pods wait")
                        + " for something that waiting will not cure.";
        page.line(page.style().strong(sentence));
    }

    private static boolean isLasting(PodVerdict pod) {
        return pod.verdict().filter(code -> !code.isCuredByWaiting()).isPresent();
    }

    /** Pods with the same codes and sub-reasons read as one finding. */
    private static List<List<PodVerdict>> groups(List<PodVerdict> pods) {
        Map<String, List<PodVerdict>> groups = new LinkedHashMap<>();
        for (PodVerdict pod : pods) {
            if (pod.verdict().filter(VerdictCode.HEALTHY::equals).isEmpty()) {
                groups.computeIfAbsent(title(pod), _ -> new ArrayList<>()).add(pod);
            }
        }
        return groups.values().stream()
                .sorted(Comparator.<List<PodVerdict>>comparingInt(List::size).reversed())
                .toList();
    }

    static String title(PodVerdict pod) {
        String also = pod.also().stream().map(code -> ", " + code.word()).collect(Collectors.joining());
        return pod.verdict().map(VerdictCode::word).orElse("Unknown")
                + also
                + (pod.reasons().isEmpty() ? "" : " (" + String.join(", ", pod.reasons()) + ")");
    }

    private void cause(List<PodVerdict> pods) {
        PodVerdict first = pods.getFirst();
        page.line();
        page.line(
                isLasting(first) ? page.style().bad(title(first)) : page.style().doubtful(title(first)));
        page.words(
                INDENT,
                (pods.size() == 1 ? "1 pod: " : pods.size() + " pods: ")
                        + FirstFive.of(pods.stream().map(PodVerdict::fullName).toList()));
        page.words(INDENT, (pods.size() == 1 ? "" : "For example: ") + first.explanation());
        first.verdict().ifPresent(code -> page.words(INDENT + "Next: ", INDENT + "  ", NextStep.of(code, first)));
    }

    private void nodes(List<NodeReport> nodes) {
        List<Finding> faults = new ArrayList<>();
        Map<FindingCode, List<String>> others = new TreeMap<>();
        for (NodeReport node : nodes) {
            for (Finding finding : node.findings()) {
                if (finding.code().isFault()) {
                    faults.add(finding);
                } else {
                    others.computeIfAbsent(finding.code(), _ -> new ArrayList<>())
                            .add(node.name());
                }
            }
        }
        page.line();
        faults.forEach(fault -> page.words(fault.code().word() + ": ", INDENT, fault.explanation()));
        others.forEach((code, names) ->
                page.words(code.word() + ": ", INDENT, FirstFive.of(names) + " (" + names.size() + ")"));
    }

    private void unchecked(List<UnreadObject> unchecked) {
        if (!unchecked.isEmpty()) {
            page.line();
            page.line("Not checked:");
            unchecked.forEach(object -> page.words(INDENT, INDENT + INDENT, object.plural() + ": " + object.why()));
        }
    }
}
