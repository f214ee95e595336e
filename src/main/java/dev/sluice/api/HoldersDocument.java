package dev.sluice.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.api.AllocationReport.AllocationEntry;
import dev.sluice.api.AllocationReport.By;
import dev.sluice.api.CapacityReport.Selection;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The answer of {@code /api/v1/capacity/holders}: for each device resource, the namespaces whose pods hold the largest
 * amounts of it. The file {@code src/docs/capacity-json.md} documents each field. New fields may be added, but no field
 * is removed.
 */
public record HoldersDocument(Instant time, boolean podsKnown, List<HeldResource> resources) {

    /** The maximum number of namespaces that are shown for one resource. */
    static final int MOST_NAMESPACES = 20;

    /**
     * The maximum number of resources that are shown, as in {@link CapacityHistoryDocuments}. The limit is needed
     * because pods can request any number of different resource names.
     */
    static final int MOST_RESOURCES = CapacityHistoryDocuments.MOST_RESOURCES;

    /** The namespaces that hold devices of one resource. */
    public record HeldResource(
            ResourceName resource,
            long allocatable,

            @JsonPropertyDescription("How many namespaces hold some of it or wait for it.")
            int namespaces,

            @JsonPropertyDescription("Those that hold most, at most 20. A tenant sees only the own namespace.")
            List<NamespaceHolding> holders,

            @JsonPropertyDescription("The sum of all others; it is missing if there are none.") @Nullable
            OtherHoldings others) {}

    /**
     * The devices of one resource in one namespace.
     *
     * @param allocated the number of devices that its pods hold
     * @param waiting the number of devices that its pods without a node request
     */
    public record NamespaceHolding(String namespace, long pods, long allocated, long waiting) {}

    /** The sum of the devices of all namespaces that are not shown by name. */
    public record OtherHoldings(long pods, long allocated, long waiting) {

        private OtherHoldings plus(AllocationEntry entry) {
            return new OtherHoldings(
                    pods + entry.pods(),
                    Amounts.saturatedSum(allocated, entry.allocated()),
                    Amounts.saturatedSum(waiting, entry.waiting()));
        }
    }

    /**
     * Creates the document about the device resources that some node has in capacity or allocatable. A resource that
     * occurs only in requests of pods is not shown, because its name could disclose the pods of one tenant to another.
     * If there are too many resources, those with the best {@link DocumentDeviceRank} are shown.
     *
     * @param tenant the only namespace whose name may be shown; empty if all names may be shown
     */
    public static HoldersDocument of(
            List<Node> nodes, List<Pod> pods, boolean podsKnown, Instant now, Optional<String> tenant) {
        Set<ResourceName> first = DocumentDeviceRank.of(devicesOfNodes(nodes, pods)).entrySet().stream()
                .sorted(Map.Entry.<ResourceName, DocumentDeviceRank>comparingByValue(DocumentDeviceRank.FIRST)
                        .thenComparing(Map.Entry.comparingByKey(CapacityReport.DEVICES_FIRST)))
                .limit(MOST_RESOURCES)
                .map(Map.Entry::getKey)
                .collect(Collectors.toUnmodifiableSet());
        AllocationReport report =
                AllocationReport.of(nodes, pods, new Selection(_ -> true, first::contains), By.NAMESPACE);
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

    /** Returns the device resources of each node. Those that pods request come first. */
    private static List<List<ResourceName>> devicesOfNodes(List<Node> nodes, List<Pod> pods) {
        Set<ResourceName> asked = new HashSet<>();
        pods.forEach(pod -> pod.requests().forEach((name, _) -> asked.add(name)));
        List<List<ResourceName>> devices = new ArrayList<>();
        for (Node node : nodes) {
            Set<ResourceName> names = new TreeSet<>(Comparator.comparing((ResourceName name) -> !asked.contains(name))
                    .thenComparing(CapacityReport.DEVICES_FIRST));
            node.capacity().plus(node.allocatable()).forEach((name, _) -> {
                if (name.isExtended()) {
                    names.add(name);
                }
            });
            devices.add(List.copyOf(names));
        }
        return devices;
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
