package dev.sluice.cli.doctor;

import dev.sluice.api.CapacityReport.Amount;
import dev.sluice.api.CapacityReport.NodeAmounts;
import dev.sluice.cli.doctor.ReportPage.PageSection;
import dev.sluice.cli.doctor.ReportPageBlock.GridCell;
import dev.sluice.cli.doctor.ReportPageBlock.GridColumn;
import dev.sluice.cli.doctor.ReportPageBlock.LabelledBar;
import dev.sluice.cli.doctor.ReportPageBlock.NodePicture;
import dev.sluice.cli.doctor.ReportPageBlock.Paragraph;
import dev.sluice.cli.doctor.ReportPageBlock.Pictures;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.doctor.ClusterDiagnosis.NodeReport;
import dev.sluice.doctor.DiagnosedNode;
import dev.sluice.doctor.FindingCode;
import dev.sluice.doctor.GpuHardware;
import dev.sluice.doctor.NodeFindings.Finding;
import dev.sluice.text.CountText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Shows a picture of each GPU node, beginning with nodes that have faults. Nodes that are alike share a picture. The
 * number of pictures is limited; for the remaining nodes, a table shows the sums by GPU model.
 */
final class NodePictures {

    private static final int MOST_PICTURES = 40;
    private static final int MOST_BARS = 10;

    private final Map<String, NodeAmounts> amounts = new HashMap<>();
    private final Map<String, List<FindingCode>> findings = new HashMap<>();
    private final List<DiagnosedNode> nodes;

    private final ReportPageSubject subject;

    NodePictures(ReportPageSubject subject) {
        this.subject = subject;
        subject.capacity().nodes().forEach(node -> amounts.put(node.node(), node));
        for (NodeReport node : subject.verdicts().nodes()) {
            findings.put(
                    node.name(), node.findings().stream().map(Finding::code).toList());
        }
        nodes = subject.gpuNodes().stream()
                .sorted(Comparator.comparing(node -> !isFaulty(node)))
                .toList();
    }

    private boolean isFaulty(DiagnosedNode node) {
        return codes(node).stream().anyMatch(FindingCode::isFault);
    }

    private List<FindingCode> codes(DiagnosedNode node) {
        return findings.getOrDefault(node.name(), List.of());
    }

    private List<Amount> devices(DiagnosedNode node) {
        NodeAmounts found = amounts.get(node.name());
        return found == null
                ? List.of()
                : found.amounts().stream()
                        .filter(amount -> amount.capacity() > 0)
                        .toList();
    }

    PageSection section() {
        List<ReportPageBlock> blocks = new ArrayList<>();
        Map<NodePicture, List<DiagnosedNode>> alike = new LinkedHashMap<>();
        nodes.forEach(node ->
                alike.computeIfAbsent(picture(node), _ -> new ArrayList<>()).add(node));
        if (!nodes.isEmpty()) {
            blocks.add(new Pictures(alike.entrySet().stream()
                    .limit(MOST_PICTURES)
                    .map(group -> group.getKey().named(names(group.getValue())))
                    .toList()));
        }
        List<DiagnosedNode> rest = alike.values().stream()
                .skip(MOST_PICTURES)
                .flatMap(List::stream)
                .toList();
        if (!rest.isEmpty()) {
            blocks.add(new Paragraph(CountText.of(rest.size(), "more node is", "more nodes are")
                    + " not drawn; this is what they have together:"));
            blocks.add(summed(rest));
        }
        return new PageSection("GPU nodes", blocks);
    }

    private static String names(List<DiagnosedNode> alike) {
        String first = alike.getFirst().name();
        return alike.size() == 1 ? first : first + " and " + CountText.number(alike.size() - 1L) + " like it";
    }

    private ReportDeviceBar bar(DiagnosedNode node, Amount amount) {
        ReportDeviceBar bar = CapacitySections.bar(amount);
        return subject.isClosed(node.name()) ? bar.without(bar.free()) : bar;
    }

    /** Returns the picture without the name of the node, so that nodes that are alike have equal pictures. */
    private NodePicture picture(DiagnosedNode node) {
        List<FindingCode> codes = codes(node);
        boolean cordoned = codes.stream().allMatch(code -> code == FindingCode.CORDONED || !code.isFault());
        ReportPageTone tone =
                !isFaulty(node) ? ReportPageTone.PLAIN : cordoned ? ReportPageTone.DOUBTFUL : ReportPageTone.BAD;
        return new NodePicture(
                "",
                model(node),
                codes.stream()
                        .filter(FindingCode::isFault)
                        .map(FindingCode::word)
                        .toList(),
                tone,
                devices(node).stream()
                        .limit(MOST_BARS)
                        .map(amount -> new LabelledBar(amount.resource().value(), bar(node, amount)))
                        .toList());
    }

    private static String model(DiagnosedNode node) {
        String model = GpuHardware.modelOf(node);
        return model.isEmpty() ? "model unknown" : model;
    }

    /** The devices of one resource on all nodes with the same GPU model. */
    private record ModelSum(String model, ResourceName resource, int nodes, ReportDeviceBar bar) {

        ModelSum plus(ReportDeviceBar more) {
            return new ModelSum(model, resource, nodes + 1, bar.plus(more));
        }
    }

    private ReportPageBlock summed(List<DiagnosedNode> rest) {
        Map<String, ModelSum> sums = new TreeMap<>();
        for (DiagnosedNode node : rest) {
            for (Amount amount : devices(node)) {
                String model = model(node);
                ModelSum none = new ModelSum(model, amount.resource(), 0, new ReportDeviceBar(0, 0, 0, 0));
                sums.merge(
                        model + " " + amount.resource(),
                        none.plus(bar(node, amount)),
                        (one, _) -> one.plus(bar(node, amount)));
            }
        }
        return ReportTableRows.table(
                List.of(
                        GridColumn.words("Model"),
                        GridColumn.number("Nodes"),
                        GridColumn.code("Resource"),
                        GridColumn.words(""),
                        GridColumn.words("Use")),
                List.copyOf(sums.values()),
                sum -> List.of(
                        GridCell.of(sum.model()),
                        GridCell.of(CountText.number(sum.nodes())),
                        GridCell.of(sum.resource().value()),
                        GridCell.of(sum.bar()),
                        GridCell.of(sum.bar().words())));
    }
}
