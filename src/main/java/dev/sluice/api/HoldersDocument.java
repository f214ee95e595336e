package dev.sluice.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.api.AllocationReport.AllocationEntry;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The answer of {@code /api/v1/capacity/holders}: which namespaces hold most of each device. The file
 * {@code src/docs/capacity-json.md} documents each field. New fields may be added, but no field is removed.
 */
public record HoldersDocument(Instant time, boolean podsKnown, List<HeldResource> resources) {

    /** The maximum number of namespaces that are shown for one resource. */
    static final int MOST_NAMESPACES = 20;

    /** The namespaces that hold some of one resource. */
    public record HeldResource(
            ResourceName resource,
            long allocatable,

            @JsonPropertyDescription("How many namespaces hold some of it or wait for it.")
            int namespaces,

            @JsonPropertyDescription("Those that hold most, at most 20. A tenant sees only the own namespace.")
            List<NamespaceHolding> holders,

            @JsonPropertyDescription("The sum of all others; it is missing if there are none.") @Nullable
            OtherHoldings others) {}

    /** What the pods of one namespace hold, and what those wait for that have no node. */
    public record NamespaceHolding(String namespace, long pods, long allocated, long waiting) {}

    /** What the pods of all other namespaces hold together. */
    public record OtherHoldings(long pods, long allocated, long waiting) {

        private OtherHoldings plus(AllocationEntry entry) {
            return new OtherHoldings(
                    pods + entry.pods(),
                    Amounts.saturatedSum(allocated, entry.allocated()),
                    Amounts.saturatedSum(waiting, entry.waiting()));
        }
    }

    /**
     * Creates the document.
     *
     * @param report the report by namespace
     * @param tenant the only namespace whose name may be shown; empty if all may be
     */
    static HoldersDocument of(AllocationReport report, boolean podsKnown, Instant now, Optional<String> tenant) {
        Map<ResourceName, List<AllocationEntry>> byResource = new LinkedHashMap<>();
        report.entries()
                .forEach(entry -> byResource
                        .computeIfAbsent(entry.resource(), _ -> new ArrayList<>())
                        .add(entry));
        return new HoldersDocument(
                now,
                podsKnown,
                byResource.values().stream()
                        .map(entries -> held(entries, tenant))
                        .toList());
    }

    private static HeldResource held(List<AllocationEntry> entries, Optional<String> tenant) {
        List<NamespaceHolding> holders = new ArrayList<>();
        OtherHoldings others = new OtherHoldings(0, 0, 0);
        for (AllocationEntry entry : entries) {
            if (holders.size() < MOST_NAMESPACES
                    && tenant.map(entry.owner()::equals).orElse(true)) {
                holders.add(new NamespaceHolding(entry.owner(), entry.pods(), entry.allocated(), entry.waiting()));
            } else {
                others = others.plus(entry);
            }
        }
        return new HeldResource(
                entries.getFirst().resource(),
                entries.getFirst().allocatable(),
                entries.size(),
                holders,
                holders.size() == entries.size() ? null : others);
    }
}
