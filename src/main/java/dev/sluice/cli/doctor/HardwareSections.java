package dev.sluice.cli.doctor;

import dev.sluice.api.CapacityReport.Sum;
import dev.sluice.cli.doctor.ReportPage.PageSection;
import dev.sluice.cli.doctor.ReportPageBlock.GridCell;
import dev.sluice.cli.doctor.ReportPageBlock.GridColumn;
import dev.sluice.cli.doctor.ReportPageBlock.Paragraph;
import dev.sluice.cluster.GpuVendor;
import dev.sluice.doctor.DiagnosedDeviceClass;
import dev.sluice.doctor.DiagnosedGpuSharing;
import dev.sluice.doctor.DiagnosedMigLayout;
import dev.sluice.doctor.DiagnosedNode;
import dev.sluice.doctor.GpuHardware;
import dev.sluice.doctor.GpuSoftware;
import dev.sluice.doctor.facts.DraFacts.ClaimFacts;
import dev.sluice.text.CountText;
import dev.sluice.text.FirstFiveNames;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Shows GPU models, drivers, software, MIG, sharing, RDMA and DRA. */
record HardwareSections(ReportPageSubject subject) {

    PageSection drivers() {
        List<GpuHardware> hardware = GpuHardware.of(subject.gpuNodes());
        List<ReportPageBlock> blocks = new ArrayList<>();
        ReportTableRows.tableIfAny(
                        List.of(
                                GridColumn.words("Vendor"),
                                GridColumn.words("Model"),
                                GridColumn.words("Driver"),
                                GridColumn.words("CUDA up to"),
                                GridColumn.number("GPUs"),
                                GridColumn.number("Nodes"),
                                GridColumn.words("Names")),
                        hardware,
                        HardwareSections::hardware)
                .forEach(blocks::add);
        for (GpuVendor vendor : GpuVendor.values()) {
            List<String> versions = hardware.stream()
                    .filter(it -> it.vendor() == vendor && !it.driver().isEmpty())
                    .map(GpuHardware::driver)
                    .distinct()
                    .toList();
            if (versions.size() > 1) {
                blocks.add(new Paragraph(versions.size() + " versions of " + vendor.title() + "'s driver are in use: "
                        + FirstFiveNames.of(versions) + "."));
            }
        }
        return new PageSection("GPU models and drivers", blocks);
    }

    private static List<GridCell> hardware(GpuHardware hardware) {
        boolean driverKnown = !hardware.driver().isEmpty();
        return List.of(
                GridCell.of(hardware.vendor().title()),
                GridCell.of(hardware.model().isEmpty() ? "unknown" : hardware.model()),
                driverKnown ? GridCell.of(hardware.driver()) : GridCell.of("unknown", ReportPageTone.DOUBTFUL),
                GridCell.of(hardware.cuda()),
                GridCell.of(hardware.gpus() == 0 ? "" : CountText.number(hardware.gpus())),
                names(hardware.nodes()).getFirst(),
                names(hardware.nodes()).getLast());
    }

    /** Returns two cells for a list of names: the number of names, and the first names. */
    private static List<GridCell> names(List<String> names) {
        return List.of(GridCell.of(CountText.number(names.size())), GridCell.of(FirstFiveNames.of(names)));
    }

    PageSection software() {
        return section(
                "GPU software",
                ReportTableRows.tableIfAny(
                        List.of(
                                GridColumn.words("Component"),
                                GridColumn.words("Namespace"),
                                GridColumn.code("Image"),
                                GridColumn.number("Ready"),
                                GridColumn.words("Not ready on")),
                        GpuSoftware.of(subject.facts().pods()),
                        software -> List.of(
                                GridCell.of(software.component().title()),
                                GridCell.of(software.namespace()),
                                GridCell.of(software.image()),
                                GridCell.of(
                                        software.ready() + " of " + software.pods(),
                                        software.notReady().isEmpty() ? ReportPageTone.PLAIN : ReportPageTone.BAD),
                                GridCell.of(FirstFiveNames.of(software.notReady())))));
    }

    private static PageSection section(String title, Stream<? extends ReportPageBlock> blocks) {
        return new PageSection(title, blocks.map(ReportPageBlock.class::cast).toList());
    }

    /** A row of the table of MIG layouts, with all nodes that have the same layout. */
    private record MigRow(DiagnosedMigLayout layout, List<String> nodes) {}

    PageSection mig() {
        Map<List<String>, MigRow> rows = new LinkedHashMap<>();
        for (DiagnosedNode node : subject.gpuNodes()) {
            DiagnosedMigLayout.of(node)
                    .ifPresent(layout -> rows.computeIfAbsent(
                                    layout.likeness(), _ -> new MigRow(layout, new ArrayList<>()))
                            .nodes()
                            .add(node.name()));
        }
        return section(
                "MIG",
                ReportTableRows.tableIfAny(
                        List.of(
                                GridColumn.words("Model"),
                                GridColumn.words("Configuration"),
                                GridColumn.words("Instances on each node"),
                                GridColumn.number("Compute slices"),
                                GridColumn.words("By NVIDIA's tables"),
                                GridColumn.number("Nodes"),
                                GridColumn.words("Names")),
                        List.copyOf(rows.values()),
                        HardwareSections::mig));
    }

    private static List<GridCell> mig(MigRow row) {
        DiagnosedMigLayout layout = row.layout();
        List<String> contradictions = layout.contradictions();
        GridCell judged = layout.instances().isEmpty()
                ? GridCell.of("no instance", ReportPageTone.DOUBTFUL)
                : contradictions.isEmpty()
                        ? GridCell.of("possible", ReportPageTone.GOOD)
                        : GridCell.of(String.join("; ", contradictions), ReportPageTone.BAD);
        return List.of(
                GridCell.of(layout.node().product().name()),
                GridCell.of(layout.labelsText()),
                GridCell.of(layout.instancesText()),
                GridCell.of(layout.slicesUsed() + (layout.slices() == 0 ? "" : " of " + layout.slices())),
                judged,
                names(row.nodes()).getFirst(),
                names(row.nodes()).getLast());
    }

    PageSection sharing() {
        return section(
                "Sharing",
                ReportTableRows.tableIfAny(
                        List.of(
                                GridColumn.code("Resource"),
                                GridColumn.words("Strategy"),
                                GridColumn.number("Containers per device"),
                                GridColumn.number("Nodes"),
                                GridColumn.words("Names")),
                        DiagnosedGpuSharing.of(subject.gpuNodes()),
                        sharing -> List.of(
                                GridCell.of(sharing.resource()),
                                GridCell.of(sharing.strategy()),
                                GridCell.of(sharing.replicas()),
                                names(sharing.nodes()).getFirst(),
                                names(sharing.nodes()).getLast())));
    }

    PageSection rdma() {
        List<Sum> offered = subject.capacity().cluster().stream()
                .filter(sum -> sum.resource().value().startsWith("rdma/")
                        && sum.total().allocatable() > 0)
                .toList();
        List<String> without = subject.gpuNodes().stream()
                .filter(node -> offered.stream().allMatch(sum -> node.allocatable(sum.resource()) == 0))
                .map(DiagnosedNode::name)
                .toList();
        Stream<ReportPageBlock> table = ReportTableRows.tableIfAny(
                        List.of(
                                GridColumn.code("Resource"),
                                GridColumn.number("Allocatable"),
                                GridColumn.number("On nodes")),
                        offered,
                        sum -> List.of(
                                GridCell.of(sum.resource().value()),
                                GridCell.of(CountText.number(sum.total().allocatable())),
                                GridCell.of(CountText.number(sum.nodes()))))
                .map(ReportPageBlock.class::cast);
        Stream<ReportPageBlock> missing = offered.isEmpty() || without.isEmpty()
                ? Stream.empty()
                : Stream.of(new Paragraph(CountText.of(without.size(), "GPU node is", "GPU nodes are")
                        + " without RDMA: " + FirstFiveNames.of(without) + "."));
        return section("RDMA", Stream.concat(table, missing));
    }

    PageSection dra() {
        List<String> managed = subject.gpuNodes().stream()
                .filter(DiagnosedNode::managedByDra)
                .map(DiagnosedNode::name)
                .toList();
        List<ClaimFacts> claims = subject.facts().dra().claims();
        long allocated =
                claims.stream().filter(claim -> claim.allocatedTo() != null).count();
        List<ReportPageBlock> blocks = new ArrayList<>();
        if (!managed.isEmpty()) {
            blocks.add(new Paragraph(CountText.of(managed.size(), "node") + " with GPUs that are handed out by"
                    + " dynamic resource allocation: " + FirstFiveNames.of(managed) + "."));
        }
        if (!claims.isEmpty()) {
            blocks.add(new Paragraph(allocated + " of " + claims.size() + " resource claims are allocated."));
        }
        List<DiagnosedDeviceClass> classes = subject.facts().dra().classes().stream()
                .flatMap(it -> DiagnosedDeviceClass.of(it.name(), subject.facts()).stream())
                .filter(it -> it.all() + it.doubtful() > 0)
                .toList();
        ReportTableRows.tableIfAny(
                        List.of(
                                GridColumn.code("DeviceClass"),
                                GridColumn.number("Devices"),
                                GridColumn.number("Tainted"),
                                GridColumn.words("Some are free on"),
                                GridColumn.words("Held by")),
                        classes,
                        it -> List.of(
                                GridCell.of(it.name()),
                                GridCell.of(CountText.number(it.all()) + (it.doubtful() > 0 ? " or more" : "")),
                                GridCell.of(CountText.number(it.tainted().size())),
                                GridCell.of(FirstFiveNames.of(it.freeOn())),
                                GridCell.of(FirstFiveNames.of(it.pods()))))
                .forEach(blocks::add);
        return new PageSection("Dynamic resource allocation", blocks);
    }
}
