package dev.sluice.capacity;

import dev.sluice.capacity.CapacityReport.Amount;
import dev.sluice.capacity.CapacityReport.ClusterUse;
import dev.sluice.capacity.CapacityReport.NodeAmounts;
import dev.sluice.capacity.CapacityReport.Sum;
import dev.sluice.node.Node;
import dev.sluice.quantity.ResourceName;
import dev.sluice.snapshot.ClusterSnapshot;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The devices of all nodes together, in no order. It is made for each scrape, so it sorts nothing, and looks at a name
 * once for all nodes.
 *
 * @param nodes those that have devices; empty if there are more than were asked for
 */
public record DeviceTotals(Collection<Sum> sums, List<NodeAmounts> nodes) {

    public DeviceTotals {
        sums = List.copyOf(sums);
        nodes = List.copyOf(nodes);
    }

    public static DeviceTotals of(ClusterSnapshot snapshot, ClusterUse taken, int mostNodes) {
        Map<ResourceName, Boolean> known = new HashMap<>();
        Predicate<ResourceName> isDevice = name -> known.computeIfAbsent(name, ResourceName::isExtended);
        Map<ResourceName, Sum> sums = new HashMap<>();
        List<NodeAmounts> nodes = new ArrayList<>();
        int having = 0;
        for (Node node : snapshot.nodes()) {
            List<Amount> amounts = CapacityReport.amounts(node, CapacityReport.usage(taken, node), isDevice);
            Sum.add(amounts, sums);
            if (!amounts.isEmpty() && ++having <= mostNodes) {
                nodes.add(new NodeAmounts(node.name(), node.unschedulable(), amounts));
            }
        }
        return new DeviceTotals(sums.values(), having <= mostNodes ? nodes : List.of());
    }
}
