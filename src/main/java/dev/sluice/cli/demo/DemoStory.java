package dev.sluice.cli.demo;

import dev.sluice.api.CapacityReport;
import dev.sluice.cli.console.AnsiStyle;
import dev.sluice.cli.console.TerminalPage;
import dev.sluice.cli.console.TerminalText;
import dev.sluice.cli.explain.ExplainPatchText;
import dev.sluice.cli.explain.Manifest;
import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.text.CountText;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Prints the scenarios of the tour. */
final class DemoStory {

    /** The requests of a pod in the tour, and the gateway's answer about the pod. */
    record Told(List<String> asked, DemoAnswer answer) {}

    private static final String HANGING = "              ";

    private final TerminalPage page;
    private final AnsiStyle ink;
    private boolean patchShown;

    DemoStory(TerminalPage page) {
        this.page = page;
        this.ink = page.style();
    }

    void heading(int number, DemoScript.Scenario scenario) {
        page.line();
        page.line(ink.strong(number + "  " + scenario.title()));
        page.words("   ", scenario.story().strip().replaceAll("\\s+", " "));
    }

    void cluster(DemoScript.Step step, ClusterSnapshot cluster) {
        page.line();
        if (step.note() != null) {
            page.words("   ", step.note().strip().replaceAll("\\s+", " "));
        }
        page.words("   offered    ", HANGING, offered(CapacityReport.ofDevices(cluster)));
    }

    private static String offered(CapacityReport report) {
        String offered = report.cluster().stream()
                .filter(sum -> sum.total().allocatable() > 0)
                .map(sum -> sum.total().allocatable()
                        + TerminalPage.GLUE
                        + sum.resource()
                        + (sum.nodes() > 1
                                ? " on" + TerminalPage.GLUE + sum.nodes() + TerminalPage.GLUE + "nodes"
                                : ""))
                .collect(Collectors.joining(", "));
        String zero = report.cluster().stream()
                .filter(sum -> sum.total().allocatable() == 0)
                .map(sum -> sum.resource().value())
                .collect(Collectors.joining(", "));
        return offered + (zero.isEmpty() ? "" : "; listed with 0: " + zero);
    }

    /** Prints the pods. Pods with equal requests and equal answers are printed once. */
    void pods(Manifest.ManifestPods manifest, List<Told> told) {
        Map<Told, Integer> alike = new LinkedHashMap<>();
        told.forEach(one -> alike.merge(one, 1, Integer::sum));
        alike.forEach((one, count) -> {
            page.line();
            page.line("   " + who(manifest, count));
            pod(one);
        });
    }

    private static String who(Manifest.ManifestPods manifest, int count) {
        return manifest.isPod()
                ? manifest.title()
                : manifest.title() + ", " + CountText.of(count, "pod", "pods, each answered alike");
    }

    private void pod(Told told) {
        DemoAnswer answer = told.answer();
        page.words("     asked    ", HANGING, String.join("; ", told.asked()));
        page.words("     got      ", HANGING, got(told));
        answer.warnings().forEach(warning -> page.words("     warning  ", HANGING, warning));
        if (answer.patch().isEmpty()) {
            return;
        }
        if (patchShown) {
            page.line("     patch    " + answer.patch().size() + " operations, ending with: "
                    + ExplainPatchText.lines(answer.patch()).getLast());
        } else {
            patchShown = true;
            List<String> lines = ExplainPatchText.lines(answer.patch());
            page.words("     patch    ", HANGING, lines.getFirst());
            lines.subList(1, lines.size()).forEach(line -> page.words(HANGING, line));
        }
    }

    private TerminalText got(Told told) {
        DemoAnswer answer = told.answer();
        String why = answer.decision().isEmpty() ? "" : "  (" + answer.decision() + ", " + answer.reason() + ")";
        if (!answer.allowed()) {
            return ink.bad("denied").then(why + ": " + answer.message());
        }
        return answer.got().equals(told.asked())
                ? TerminalText.of("the same" + why)
                : ink.good(String.join("; ", answer.got())).then(why);
    }
}
