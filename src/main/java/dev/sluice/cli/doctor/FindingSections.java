package dev.sluice.cli.doctor;

import dev.sluice.cli.doctor.ReportPage.PageSection;
import dev.sluice.cli.doctor.ReportPageBlock.GridCell;
import dev.sluice.cli.doctor.ReportPageBlock.GridColumn;
import dev.sluice.cli.doctor.ReportPageBlock.Notice;
import dev.sluice.cli.doctor.ReportPageBlock.NoticeLine;
import dev.sluice.cli.doctor.ReportPageBlock.Paragraph;
import dev.sluice.doctor.ClusterDiagnosis;
import dev.sluice.doctor.DiagnosisGroup;
import dev.sluice.doctor.DiagnosisNextStep;
import dev.sluice.doctor.FindingCode;
import dev.sluice.doctor.NodeFindings.Finding;
import dev.sluice.doctor.PodDiagnosis;
import dev.sluice.text.CountText;
import dev.sluice.text.FirstFiveNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Shows the findings of the doctor about pods and nodes, and the objects that it could not read. */
record FindingSections(ClusterDiagnosis report) {

    private static final int MOST_NOTICES = 40;

    PageSection pods() {
        List<ReportPageBlock> blocks = new ArrayList<>();
        blocks.add(new Paragraph(DiagnosisGroup.headline(report.pods(), Optional.empty())));
        List<DiagnosisGroup> groups = DiagnosisGroup.of(report.pods());
        groups.stream().limit(MOST_NOTICES).map(FindingSections::cause).forEach(blocks::add);
        if (groups.size() > MOST_NOTICES) {
            blocks.add(new Paragraph(
                    CountText.of(groups.size() - MOST_NOTICES, "more cause is", "more causes are") + " not shown."));
        }
        return new PageSection("Pods that do not run", blocks);
    }

    private static Notice cause(DiagnosisGroup group) {
        PodDiagnosis example = group.example();
        List<NoticeLine> lines = new ArrayList<>();
        lines.add(NoticeLine.words(group.names()));
        lines.add(NoticeLine.words(group.explanation()));
        example.verdict()
                .flatMap(code -> DiagnosisNextStep.of(code, example))
                .ifPresent(command -> lines.add(NoticeLine.typed("Next", command)));
        return new Notice(group.isLasting() ? ReportPageTone.BAD : ReportPageTone.DOUBTFUL, group.title(), lines);
    }

    /** Shows the findings about nodes. Each fault has a notice, and other findings are grouped by their kind. */
    PageSection nodes() {
        List<ReportPageBlock> blocks = new ArrayList<>();
        List<Finding> faults = report.nodeFaults();
        faults.stream().limit(MOST_NOTICES).map(FindingSections::fault).forEach(blocks::add);
        left(faults).forEach(blocks::add);
        ReportTableRows.tableIfAny(
                        List.of(GridColumn.words("Finding"), GridColumn.number("Nodes"), GridColumn.words("Names")),
                        List.copyOf(report.otherNodeFindings().entrySet()),
                        other -> List.of(
                                GridCell.of(other.getKey().word()),
                                GridCell.of(CountText.number(other.getValue().size())),
                                GridCell.of(FirstFiveNames.of(other.getValue()))))
                .forEach(blocks::add);
        return new PageSection("Findings about nodes", blocks);
    }

    /**
     * Returns a sentence with the number of faults of each kind that have no notice. The number of notices is limited.
     * Returns an empty stream if every fault has a notice.
     */
    private static Stream<Paragraph> left(List<Finding> faults) {
        Map<FindingCode, Integer> counts = new TreeMap<>();
        faults.stream().skip(MOST_NOTICES).forEach(fault -> counts.merge(fault.code(), 1, Integer::sum));
        return counts.isEmpty()
                ? Stream.empty()
                : Stream.of(new Paragraph(
                        CountText.of(faults.size() - MOST_NOTICES, "more fault is", "more faults are") + " not shown: "
                                + counts.entrySet().stream()
                                        .map(count -> CountText.number(count.getValue()) + " × "
                                                + count.getKey().word())
                                        .collect(Collectors.joining(", "))
                                + "."));
    }

    private static Notice fault(Finding fault) {
        return new Notice(ReportPageTone.BAD, fault.code().word(), List.of(NoticeLine.words(fault.explanation())));
    }

    PageSection unchecked() {
        return new PageSection(
                "What could not be read",
                ReportTableRows.tableIfAny(
                                List.of(GridColumn.words("Kind"), GridColumn.words("Why, and what follows")),
                                report.unchecked(),
                                object -> List.of(GridCell.of(object.plural()), GridCell.of(object.why())))
                        .map(ReportPageBlock.class::cast)
                        .toList());
    }
}
