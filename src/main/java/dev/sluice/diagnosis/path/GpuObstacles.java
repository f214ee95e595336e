package dev.sluice.diagnosis.path;

import dev.sluice.diagnosis.node.FindingCode;
import dev.sluice.diagnosis.node.GpuVendor;
import dev.sluice.diagnosis.node.NodeFaults;
import dev.sluice.diagnosis.node.NodeStudy;
import dev.sluice.diagnosis.node.NodeUse;
import dev.sluice.diagnosis.node.RepairSupply;
import dev.sluice.quantity.Amounts;
import dev.sluice.quantity.ResourceName;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToLongFunction;

/** Whether a node could give a pod its devices: now, once others are gone, or once a fault is repaired. */
record GpuObstacles(Amounts asked, NodeUse.Asker asker, KnownFaults known) {

    /** The faults of each node about each resource; they are the same for all pods. */
    static final class KnownFaults {
        private final Map<ResourceName, Map<String, List<FindingCode>>> found = new HashMap<>();
        private final Map<FindingCode, Map<ResourceName, Map<String, Long>>> supplies =
                new EnumMap<>(FindingCode.class);

        List<FindingCode> about(NodeStudy node, ResourceName resource) {
            return found.computeIfAbsent(resource, _ -> new HashMap<>())
                    .computeIfAbsent(
                            node.name(),
                            _ -> GpuVendor.of(resource)
                                    .filter(node::has)
                                    .map(vendor -> NodeFaults.about(node, resource, vendor))
                                    .orElse(List.of()));
        }

        /** What the node offers once the fault is repaired. */
        long supply(FindingCode fault, NodeStudy node, ResourceName resource) {
            return supplies.computeIfAbsent(fault, _ -> new HashMap<>())
                    .computeIfAbsent(resource, _ -> new HashMap<>())
                    .computeIfAbsent(node.name(), _ -> RepairSupply.after(fault, node, resource));
        }
    }

    /** One list for each way; no way at all where the node has too few devices and no fault whose repair helps. */
    List<List<Obstacle>> ways(NodeStudy node) {
        List<List<Obstacle>> ways = new ArrayList<>();
        inUse(node, node::allocatable).ifPresent(ways::add);
        for (FindingCode fault : faults(node)) {
            afterRepair(node, fault).ifPresent(ways::add);
        }
        return ways;
    }

    private Set<FindingCode> faults(NodeStudy node) {
        Set<FindingCode> faults = new LinkedHashSet<>();
        asked.forEach((resource, _) -> faults.addAll(known.about(node, resource)));
        return faults;
    }

    /** A repair counts only where it brings more of a resource than the node offers now. */
    private Optional<List<Obstacle>> afterRepair(NodeStudy node, FindingCode fault) {
        boolean brings =
                asked.anyMatch((resource, _) -> known.supply(fault, node, resource) > node.allocatable(resource));
        if (!brings) {
            return Optional.empty();
        }
        return inUse(node, resource -> Math.max(node.allocatable(resource), known.supply(fault, node, resource)))
                .map(others -> {
                    List<Obstacle> way = new ArrayList<>(others);
                    way.addFirst(new Obstacle.NodeFault(fault));
                    return way;
                });
    }

    /** Empty where the node could not even give them with no other pod there. */
    private Optional<List<Obstacle>> inUse(NodeStudy node, ToLongFunction<ResourceName> supply) {
        Set<Obstacle> obstacles = new LinkedHashSet<>();
        boolean tooFew = asked.anyMatch((resource, amount) -> amount > supply.applyAsLong(resource));
        if (tooFew) {
            return Optional.empty();
        }
        asked.forEach((resource, amount) -> {
            long free = supply.applyAsLong(resource) - node.use().of(resource, asker);
            if (amount > free) {
                obstacles.add(new Obstacle.DevicesInUse(
                        amount <= free + node.use().leaving(resource)
                                ? VerdictCode.HELD_BY_TERMINATING
                                : VerdictCode.ALL_USED));
            }
        });
        return Optional.of(List.copyOf(obstacles));
    }
}
