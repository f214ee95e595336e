package dev.sluice.api;

import dev.sluice.api.AllocationReport.AllocationEntry;
import dev.sluice.api.AllocationReport.By;
import dev.sluice.cluster.quantity.ResourceName;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The output of {@code sluice capacity --by namespace|pod -o json}. The file {@code src/docs/capacity-json.md}
 * documents each field.
 */
public record AllocationDocument(List<AllocatedResource> allocations) {

    /** The amount of one resource that a namespace or a pod uses. */
    public record AllocatedResource(
            String namespace,
            @Nullable String pod,
            ResourceName resource,
            long pods,
            BigDecimal allocated,
            BigDecimal waiting,
            BigDecimal allocatable,
            long percent) {

        private static AllocatedResource of(AllocationEntry entry, By by) {
            int slash = entry.owner().indexOf('/');
            return new AllocatedResource(
                    slash < 0 ? entry.owner() : entry.owner().substring(0, slash),
                    by == By.POD ? entry.owner().substring(slash + 1) : null,
                    entry.resource(),
                    entry.pods(),
                    CapacityDocument.amountOf(entry.resource(), entry.allocated()),
                    CapacityDocument.amountOf(entry.resource(), entry.waiting()),
                    CapacityDocument.amountOf(entry.resource(), entry.allocatable()),
                    entry.percent());
        }
    }

    public static AllocationDocument of(AllocationReport report) {
        return new AllocationDocument(report.entries().stream()
                .map(entry -> AllocatedResource.of(entry, report.by()))
                .toList());
    }
}
