package dev.sluice.cli.doctor;

import dev.sluice.api.CapacityReport.Sum;
import dev.sluice.cli.doctor.ReportPage.PageSection;
import dev.sluice.cli.doctor.ReportPageBlock.Tile;
import dev.sluice.cli.doctor.ReportPageBlock.Tiles;
import dev.sluice.cluster.GpuVendor;
import dev.sluice.doctor.ClusterDiagnosis;
import dev.sluice.doctor.DiagnosisGroup;
import dev.sluice.doctor.PodDiagnosis;
import dev.sluice.doctor.facts.ClusterFacts;
import dev.sluice.text.CountText;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Creates the report on a whole cluster. */
final class ClusterPage {

    private static final int GPU_TILES = 3;

    private static final DateTimeFormatter MINUTE = DateTimeFormatter.ofPattern(
                    "d MMMM uuuu, HH:mm 'UTC'", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);

    private ClusterPage() {}

    /**
     * Creates the page. The time on the page is not the current time, but the time at which the objects were collected.
     */
    static ReportPage of(ClusterFacts facts, ClusterDiagnosis verdicts) {
        ReportPageSubject subject = ReportPageSubject.of(facts, verdicts);
        FindingSections findings = new FindingSections(verdicts);
        CapacitySections capacity = new CapacitySections(subject);
        HardwareSections hardware = new HardwareSections(subject);
        return new ReportPage(
                facts.name().isEmpty() ? "GPU cluster report" : "GPU cluster report: " + facts.name(),
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
        String size = CountText.of(facts.nodes().size(), "node") + ", "
                + CountText.of(facts.pods().size(), "pod");
        return facts.time() == null ? size + "." : size + ", as of " + MINUTE.format(facts.time()) + ".";
    }

    /** Shows which resources are requested most, which have the least free capacity, and what needs attention. */
    private static PageSection overview(ReportPageSubject subject) {
        List<Tile> tiles = new ArrayList<>();
        tiles.add(new Tile(
                subject.gpuNodes().size() + " of " + subject.facts().nodes().size(),
                "nodes have GPUs",
                subject.gpuNodes().isEmpty() ? ReportPageTone.DOUBTFUL : ReportPageTone.PLAIN));
        subject.capacity().cluster().stream()
                .filter(sum -> GpuVendor.isGpu(sum.resource()) && sum.total().capacity() > 0)
                .sorted(Comparator.comparingLong((Sum sum) -> subject.waiting(sum.resource()))
                        .reversed()
                        .thenComparingDouble(sum -> shareFree(subject, sum))
                        .thenComparing(Sum::resource))
                .limit(GPU_TILES)
                .forEach(sum -> tiles.add(available(subject, sum)));
        tiles.add(attention(subject));
        tiles.add(faults(subject));
        return new PageSection("", List.of(new Tiles(tiles)));
    }

    private static double shareFree(ReportPageSubject subject, Sum sum) {
        long allocatable = sum.total().allocatable();
        return allocatable == 0 ? 0 : (double) subject.available(sum.resource()).amount() / allocatable;
    }

    private static Tile available(ReportPageSubject subject, Sum sum) {
        long waiting = subject.waiting(sum.resource());
        long free = subject.available(sum.resource()).amount();
        return new Tile(
                (subject.capacity().podsKnown() ? CountText.number(free) : "?") + " of "
                        + CountText.number(sum.total().allocatable()),
                sum.resource().value() + " available"
                        + (waiting > 0 ? ", " + CountText.number(waiting) + " wanted" : ""),
                waiting > free ? ReportPageTone.BAD : free == 0 ? ReportPageTone.DOUBTFUL : ReportPageTone.PLAIN);
    }

    private static Tile attention(ReportPageSubject subject) {
        List<PodDiagnosis> pods = subject.verdicts().pods();
        long waiting = DiagnosisGroup.lasting(pods);
        boolean known = DiagnosisGroup.unknown(pods) == 0 && isAllRead(subject);
        return new Tile(
                waiting + " of " + (subject.verdicts().podsKnown() ? pods.size() : "?"),
                "GPU pods need attention",
                waiting > 0 ? ReportPageTone.BAD : known ? ReportPageTone.GOOD : ReportPageTone.DOUBTFUL);
    }

    private static Tile faults(ReportPageSubject subject) {
        long faulty = subject.verdicts().nodes().stream()
                .filter(node -> node.findings().stream()
                        .anyMatch(finding -> finding.code().isFault()))
                .count();
        return new Tile(
                CountText.number(faulty),
                faulty == 1 ? "node has a fault" : "nodes have a fault",
                faulty > 0 ? ReportPageTone.BAD : isAllRead(subject) ? ReportPageTone.GOOD : ReportPageTone.DOUBTFUL);
    }

    /**
     * Returns true if all kinds of objects were read in full. Otherwise the page marks no number as good, because
     * objects may be missing.
     */
    private static boolean isAllRead(ReportPageSubject subject) {
        return subject.verdicts().unread().isEmpty();
    }
}
