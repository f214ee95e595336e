package dev.sluice.cli.doctor;

import dev.sluice.cli.console.TerminalPage;
import dev.sluice.cli.doctor.DoctorBundleOption.NodeSays;
import dev.sluice.doctor.ClusterDiagnosis;
import dev.sluice.doctor.DiagnosisGroup;
import dev.sluice.doctor.DiagnosisNextStep;
import dev.sluice.doctor.PodDiagnosis;
import dev.sluice.doctor.facts.ClusterFacts.UnreadObject;
import dev.sluice.text.ShortText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Prints a report as text: the headline, the causes, the nodes, and what was not checked. The causes that concern the
 * most pods come first.
 */
record DoctorText(TerminalPage page) {

    private static final String INDENT = "  ";
    /** Limits the length of a word. Names in Kubernetes are shorter, but labels in a file can have any length. */
    private static final int LONGEST_WORD = 400;

    private static final String ABSENT = UnreadObject.NOT_COLLECTED + ": ";

    /** Prints the report. An empty headline is left out. */
    void print(Optional<String> headline, ClusterDiagnosis report) {
        headline.map(page.style()::strong).ifPresent(page::line);
        DiagnosisGroup.of(report.pods()).forEach(this::cause);
        if (headline.isPresent() && !report.nodes().isEmpty()) {
            page.line();
        }
        nodes(report);
        unchecked(report.unchecked());
    }

    private void cause(DiagnosisGroup group) {
        page.line();
        page.line(
                group.isLasting()
                        ? page.style().bad(group.title())
                        : page.style().doubtful(group.title()));
        page.words(INDENT, group.names());
        page.words(INDENT, readable(group.explanation()));
        PodDiagnosis example = group.example();
        // The command is printed on one line, because a command that is broken into lines cannot be pasted into a
        // shell.
        example.verdict()
                .flatMap(code -> DiagnosisNextStep.of(code, example))
                .ifPresent(command -> page.line(INDENT + "Next: " + command));
    }

    private void nodes(ClusterDiagnosis report) {
        report.nodeFaults()
                .forEach(fault -> page.words(fault.code().word() + ": ", INDENT, readable(fault.explanation())));
        report.otherNodeFindings().forEach((code, names) -> page.words("", INDENT, code.of(names)));
    }

    /** Cuts words that are too long to read. The JSON output has them in full. */
    private static String readable(String text) {
        return Arrays.stream(text.split(" ", -1))
                .map(word -> word.length() <= LONGEST_WORD ? word : ShortText.of(word, LONGEST_WORD) + " (cut)")
                .collect(Collectors.joining(" "));
    }

    void printBundles(List<NodeSays> bundles) {
        for (NodeSays said : bundles) {
            page.line();
            page.line(page.style()
                    .strong("Node " + said.node() + " says of itself")
                    .then(" (" + said.time() + ")"));
            if (said.findings().isEmpty()) {
                page.words(INDENT, INDENT, "Nothing contradicts the cluster.");
            }
            said.findings()
                    .forEach(finding ->
                            page.words(INDENT + finding.code().word() + ": ", INDENT + INDENT, finding.explanation()));
        }
    }

    /**
     * Prints what was not checked. Kinds of which no object was collected have a list of their own. The title of this
     * list states the reason once for all of them.
     */
    private void unchecked(List<UnreadObject> unchecked) {
        List<UnreadObject> absent = new ArrayList<>();
        List<UnreadObject> others = new ArrayList<>();
        for (UnreadObject object : unchecked) {
            boolean isAbsent = object.why().startsWith(ABSENT);
            UnreadObject shown =
                    isAbsent ? new UnreadObject(object.plural(), object.why().substring(ABSENT.length())) : object;
            (isAbsent ? absent : others).add(shown);
        }
        listed("Not checked:", others);
        listed("Not checked, because no object of the kind was collected:", absent);
    }

    private void listed(String title, List<UnreadObject> objects) {
        if (!objects.isEmpty()) {
            page.line();
            page.line(title);
            objects.forEach(object -> page.words(INDENT, INDENT + INDENT, object.plural() + ": " + object.why()));
        }
    }
}
