package dev.sluice.api;

import dev.sluice.api.CapacityReport.Amount;
import dev.sluice.api.CapacityReport.NodeAmounts;
import dev.sluice.api.CapacityReport.Sum;
import dev.sluice.cluster.MalformedClusterObjects;
import dev.sluice.cluster.quantity.ResourceName;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer of {@code /api/v1/capacity} and the output of {@code sluice capacity -o json}. The file
 * {@code src/docs/capacity-json.md} documents each field. New fields may be added, but no field is removed. Values that
 * depend on pods are null while the pods are not known.
 */
public record CapacityDocument(
        long generation,
        boolean podsKnown,
        @Nullable Long unplaced,
        PassedOver passedOver,
        List<ClusterResource> cluster,
        List<NodeResources> nodes) {

    /** The number of decimal places of cpu: amounts are in thousandths of a core. */
    private static final int CPU_SCALE = 3;

    public record PassedOver(UnreadNames nodes, UnreadNames pods) {}

    public record UnreadNames(long count, List<String> names) {
        private static UnreadNames of(MalformedClusterObjects objects) {
            return new UnreadNames(objects.current(), objects.names());
        }
    }

    /** The amounts of one resource, summed over all nodes. */
    public record ClusterResource(
            ResourceName resource,
            BigDecimal capacity,
            BigDecimal allocatable,
            @Nullable BigDecimal allocated,
            @Nullable BigDecimal reserved,
            @Nullable BigDecimal available,
            int nodes,
            BigDecimal largest,
            @Nullable BigDecimal largestAvailable) {

        private static ClusterResource of(Sum sum, boolean podsKnown) {
            NodeResource total = NodeResource.of(sum.total(), podsKnown);
            return new ClusterResource(
                    total.resource,
                    total.capacity,
                    total.allocatable,
                    total.allocated,
                    total.reserved,
                    podsKnown ? amountOf(sum.resource(), sum.available()) : null,
                    sum.nodes(),
                    amountOf(sum.resource(), sum.largest()),
                    podsKnown ? amountOf(sum.resource(), sum.largestAvailable()) : null);
        }
    }

    public record NodeResources(String node, boolean cordoned, List<NodeResource> resources) {
        private static NodeResources of(NodeAmounts node, boolean podsKnown) {
            return new NodeResources(
                    node.node(),
                    node.cordoned(),
                    node.amounts().stream()
                            .map(amount -> NodeResource.of(amount, podsKnown))
                            .toList());
        }
    }

    /** The amounts of one resource on one node. */
    public record NodeResource(
            ResourceName resource,
            BigDecimal capacity,
            BigDecimal allocatable,
            @Nullable BigDecimal allocated,
            @Nullable BigDecimal reserved,
            @Nullable BigDecimal available) {

        private static NodeResource of(Amount amount, boolean podsKnown) {
            ResourceName resource = amount.resource();
            return new NodeResource(
                    resource,
                    amountOf(resource, amount.capacity()),
                    amountOf(resource, amount.allocatable()),
                    podsKnown ? amountOf(resource, amount.allocated()) : null,
                    podsKnown ? amountOf(resource, amount.reserved()) : null,
                    podsKnown ? amountOf(resource, amount.available()) : null);
        }
    }

    public static CapacityDocument of(CapacityReport report) {
        return new CapacityDocument(
                report.generation(),
                report.podsKnown(),
                report.podsKnown() ? report.unplaced() : null,
                new PassedOver(
                        UnreadNames.of(report.leftOut().nodes()),
                        UnreadNames.of(report.leftOut().pods())),
                report.cluster().stream()
                        .map(sum -> ClusterResource.of(sum, report.podsKnown()))
                        .toList(),
                report.nodes().stream()
                        .map(node -> NodeResources.of(node, report.podsKnown()))
                        .toList());
    }

    /** Returns an amount in the unit that users expect: cpu in cores. */
    static BigDecimal amountOf(ResourceName resource, long amount) {
        return resource.equals(ResourceName.CPU)
                ? BigDecimal.valueOf(amount, CPU_SCALE).stripTrailingZeros()
                : BigDecimal.valueOf(amount);
    }
}
