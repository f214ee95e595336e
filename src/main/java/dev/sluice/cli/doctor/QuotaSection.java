package dev.sluice.cli.doctor;

import dev.sluice.cli.doctor.ReportPage.PageSection;
import dev.sluice.cli.doctor.ReportPageBlock.GridCell;
import dev.sluice.cli.doctor.ReportPageBlock.GridColumn;
import dev.sluice.cluster.GpuVendor;
import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.doctor.facts.QuotaFacts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Shows the quotas for GPUs. The quota with the largest used share comes first. */
final class QuotaSection {

    private static final String REQUESTS = "requests.";

    private QuotaSection() {}

    /** One GPU resource of a quota. */
    private record QuotaLine(QuotaFacts quota, String key, Quantity used, Quantity hard) {
        boolean isFull() {
            return used.compareTo(hard) >= 0;
        }

        double share() {
            return isFull() ? 1 : used.amount().doubleValue() / hard.amount().doubleValue();
        }
    }

    static PageSection of(List<QuotaFacts> quotas) {
        List<QuotaLine> lines = new ArrayList<>();
        for (QuotaFacts quota : quotas) {
            quota.hard().forEach((key, hard) -> {
                if (GpuVendor.isGpu(new ResourceName(key.replaceFirst("^" + REQUESTS, "")))) {
                    lines.add(new QuotaLine(quota, key, quota.used().getOrDefault(key, Quantity.ZERO), hard));
                }
            });
        }
        lines.sort(Comparator.comparingDouble(QuotaLine::share)
                .reversed()
                .thenComparing(line -> line.quota().namespace())
                .thenComparing(line -> line.quota().name())
                .thenComparing(QuotaLine::key));
        return new PageSection(
                "Quotas",
                ReportTableRows.tableIfAny(
                                List.of(
                                        GridColumn.words("Namespace"),
                                        GridColumn.words("Quota"),
                                        GridColumn.code("Resource"),
                                        GridColumn.words(""),
                                        GridColumn.number("Used"),
                                        GridColumn.number("Hard")),
                                lines,
                                QuotaSection::row)
                        .map(ReportPageBlock.class::cast)
                        .toList());
    }

    private static List<GridCell> row(QuotaLine line) {
        long hard = line.hard().value();
        return List.of(
                GridCell.of(line.quota().namespace()),
                GridCell.of(line.quota().name()),
                GridCell.of(line.key()),
                GridCell.of(ReportDeviceBar.of(hard, hard, line.used().value(), 0)),
                GridCell.of(line.used().text(), line.isFull() ? ReportPageTone.BAD : ReportPageTone.PLAIN),
                GridCell.of(line.hard().text()));
    }
}
