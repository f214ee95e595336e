package dev.sluice.doctor.report;

import dev.sluice.api.CapacityReport.Sum;
import dev.sluice.cluster.GpuVendor;
import dev.sluice.doctor.ClusterReport;
import dev.sluice.doctor.VerdictGroup;
import dev.sluice.doctor.facts.ClusterFacts;
import dev.sluice.doctor.report.PageBlock.Tile;
import dev.sluice.doctor.report.PageBlock.Tiles;
import dev.sluice.doctor.report.ReportPage.PageSection;
import dev.sluice.text.Counted;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Creates the report on a whole cluster. */
public final class ClusterPage {

    private static final int GPU_TILES = 3;

    private static final DateTimeFormatter MINUTE = DateTimeFormatter.ofPattern(
                    "d MMMM uuuu, HH:mm 'UTC'", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);

    private ClusterPage() {}

    /** Creates the page. It contains no current time: its time is the latest one in any object of the cluster. */
    public static ReportPage of(ClusterFacts facts, ClusterReport verdicts) {
        ReportSubject subject = ReportSubject.of(facts, verdicts);
        FindingSections findings = new FindingSections(verdicts);
        CapacitySections capacity = new CapacitySections(subject);
        HardwareSections hardware = new HardwareSections(subject);
        return new ReportPage(
                "GPU cluster report",
                subtitle(facts),
                List.of(
                        overview(subject),
                        findings.pods(),
                        findings.nodes(),
                        capacity.sums(),
                        capacity.fragmentation(),
                        new NodePictures(subject).section(),
                        hardware.drivers(),
                        hardware.software(),
                        hardware.mig(),
                        hardware.sharing(),
                        hardware.rdma(),
                        hardware.dra(),
                        QuotaSection.of(facts.quotas()),
                        capacity.namespaces(),
                        new WebhookSection(facts).section(),
                        findings.unchecked()));
    }

    private static String subtitle(ClusterFacts facts) {
        String size = Counted.of(facts.nodes().size(), "node") + ", "
                + Counted.of(facts.pods().size(), "pod");
        return facts.time() == null ? size + "." : size + ", as of " + MINUTE.format(facts.time()) + ".";
    }

    private static PageSection overview(ReportSubject subject) {
        List<Tile> tiles = new ArrayList<>();
        tiles.add(new Tile(
                subject.gpuNodes().size() + " of " + subject.facts().nodes().size(),
                "nodes have GPUs",
                subject.gpuNodes().isEmpty() ? PageTone.DOUBTFUL : PageTone.PLAIN));
        subject.capacity().cluster().stream()
                .filter(sum -> GpuVendor.isGpu(sum.resource()) && sum.total().capacity() > 0)
                .sorted(Comparator.comparingLong((Sum sum) -> sum.total().allocatable())
                        .reversed())
                .limit(GPU_TILES)
                .forEach(sum -> tiles.add(available(sum)));
        long waiting = VerdictGroup.lasting(subject.verdicts().pods());
        tiles.add(new Tile(
                waiting + " of " + subject.verdicts().pods().size(),
                "GPU pods need attention",
                waiting > 0
                        ? PageTone.BAD
                        : VerdictGroup.unknown(subject.verdicts().pods()) > 0 ? PageTone.DOUBTFUL : PageTone.GOOD));
        long faulty = subject.verdicts().nodes().stream()
                .filter(node -> node.findings().stream()
                        .anyMatch(finding -> finding.code().isFault()))
                .count();
        tiles.add(new Tile(
                Counted.number(faulty),
                faulty == 1 ? "node has a fault" : "nodes have a fault",
                faulty == 0 ? PageTone.GOOD : PageTone.BAD));
        return new PageSection("", List.of(new Tiles(tiles)));
    }

    private static Tile available(Sum sum) {
        return new Tile(
                Counted.number(sum.available()) + " of "
                        + Counted.number(sum.total().allocatable()),
                sum.resource().value() + " available",
                PageTone.PLAIN);
    }
}
