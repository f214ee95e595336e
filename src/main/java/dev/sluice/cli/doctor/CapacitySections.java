package dev.sluice.cli.doctor;

import dev.sluice.api.AllocationReport.AllocationEntry;
import dev.sluice.api.CapacityReport.Amount;
import dev.sluice.api.CapacityReport.NodeAmounts;
import dev.sluice.api.CapacityReport.Sum;
import dev.sluice.cli.doctor.ReportPage.PageSection;
import dev.sluice.cli.doctor.ReportPageBlock.GridCell;
import dev.sluice.cli.doctor.ReportPageBlock.GridColumn;
import dev.sluice.cli.doctor.ReportPageBlock.Paragraph;
import dev.sluice.cli.doctor.ReportPageSubject.AvailableDevices;
import dev.sluice.cluster.GpuVendor;
import dev.sluice.text.CountText;
import dev.sluice.text.FirstFiveNames;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Shows how much of each resource the nodes offer and how much of it is free, how the free devices are distributed over
 * the nodes, and how many GPUs each namespace uses.
 */
record CapacitySections(ReportPageSubject subject) {

    private static final List<GridColumn> SUMS = List.of(
            GridColumn.code("Resource"),
            GridColumn.words(""),
            GridColumn.number("Allocatable"),
            GridColumn.number("Allocated"),
            GridColumn.number("Reserved"),
            GridColumn.number("Available"),
            GridColumn.number("On nodes"),
            GridColumn.number("Max per node"));

    PageSection sums() {
        List<ReportPageBlock> blocks = new ArrayList<>();
        if (!subject.capacity().podsKnown() && !subject.capacity().cluster().isEmpty()) {
            blocks.add(new Paragraph("The pods are not known, so that nothing counts as allocated."));
        }
        if (!subject.closed().isEmpty() && !subject.capacity().cluster().isEmpty()) {
            blocks.add(
                    new Paragraph("What is free on nodes that are cordoned or not ready does not count as available: "
                            + FirstFiveNames.nodes(subject.closed()) + "."));
        }
        ReportTableRows.tableIfAny(SUMS, subject.capacity().cluster(), this::sum)
                .forEach(blocks::add);
        long unplaced = subject.capacity().unplaced();
        if (unplaced > 0) {
            blocks.add(new Paragraph(CountText.of(unplaced, "pending pod fits", "pending pods fit")
                    + " on no node; not counted above."));
        }
        return new PageSection("Capacity", blocks);
    }

    private List<GridCell> sum(Sum sum) {
        Amount total = sum.total();
        AvailableDevices available = subject.available(sum.resource());
        return List.of(
                GridCell.of(sum.resource().value()),
                GridCell.of(bar(total).without(available.closed())),
                GridCell.of(offered(total)),
                number(total.allocated()),
                number(total.reserved()),
                number(available.amount()),
                GridCell.of(sum.nodes() + " of " + subject.capacity().nodes().size()),
                number(subject.capacity().podsKnown() ? available.largest() : sum.largest()));
    }

    static ReportDeviceBar bar(Amount amount) {
        return ReportDeviceBar.of(amount.capacity(), amount.allocatable(), amount.allocated(), amount.reserved());
    }

    /** Returns the allocatable amount as text. If some devices are unhealthy, the text also contains the capacity. */
    private static String offered(Amount amount) {
        return CountText.number(amount.allocatable())
                + (amount.capacity() > amount.allocatable() ? " of " + CountText.number(amount.capacity()) : "");
    }

    private static GridCell number(long number) {
        return GridCell.of(CountText.number(number));
    }

    /** Shows the GPU resources whose free devices are distributed over more than one node. */
    PageSection fragmentation() {
        List<Sum> scattered = subject.capacity().podsKnown()
                ? subject.capacity().cluster().stream()
                        .filter(sum -> GpuVendor.isGpu(sum.resource())
                                && subject.available(sum.resource()).amount()
                                        > subject.available(sum.resource()).largest())
                        .toList()
                : List.of();
        Stream<ReportPageBlock> why = scattered.isEmpty()
                ? Stream.empty()
                : Stream.of(new Paragraph("A pod gets its devices on one node. One that asks for more than the largest"
                        + " number waits, although the sum would be enough."));
        Stream<ReportPageBlock> table = ReportTableRows.tableIfAny(
                        List.of(
                                GridColumn.code("Resource"),
                                GridColumn.number("Available in sum"),
                                GridColumn.number("Largest on one node"),
                                GridColumn.words("There"),
                                GridColumn.number("On nodes")),
                        scattered,
                        this::scattered)
                .map(ReportPageBlock.class::cast);
        return new PageSection("Fragmentation", Stream.concat(why, table).toList());
    }

    private List<GridCell> scattered(Sum sum) {
        AvailableDevices available = subject.available(sum.resource());
        List<String> having = new ArrayList<>();
        List<String> largest = new ArrayList<>();
        for (NodeAmounts node : subject.capacity().nodes()) {
            for (Amount amount : node.amounts()) {
                if (amount.resource().equals(sum.resource())
                        && amount.available() > 0
                        && !subject.isClosed(node.node())) {
                    having.add(node.node());
                    if (amount.available() == available.largest()) {
                        largest.add(node.node());
                    }
                }
            }
        }
        return List.of(
                GridCell.of(sum.resource().value()),
                number(available.amount()),
                GridCell.of(CountText.number(available.largest()), ReportPageTone.DOUBTFUL),
                GridCell.of(FirstFiveNames.of(largest)),
                number(having.size()));
    }

    PageSection namespaces() {
        return new PageSection(
                "GPUs by namespace",
                ReportTableRows.tableIfAny(
                                List.of(
                                        GridColumn.code("Resource"),
                                        GridColumn.words("Namespace"),
                                        GridColumn.number("Allocated"),
                                        GridColumn.number("Of allocatable"),
                                        GridColumn.number("Waiting"),
                                        GridColumn.number("Pods")),
                                subject.allocation().entries(),
                                CapacitySections::entry)
                        .map(ReportPageBlock.class::cast)
                        .toList());
    }

    private static List<GridCell> entry(AllocationEntry entry) {
        return List.of(
                GridCell.of(entry.resource().value()),
                GridCell.of(entry.owner()),
                number(entry.allocated()),
                GridCell.of(entry.allocatable() == 0 ? "" : entry.percent() + " %"),
                number(entry.waiting()),
                number(entry.pods()));
    }
}
