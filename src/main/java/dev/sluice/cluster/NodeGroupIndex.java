package dev.sluice.cluster;

import dev.sluice.cluster.quantity.ResourceName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * An immutable index of the node groups that have a certain resource. It finds groups by their labels and by their
 * taints.
 */
final class NodeGroupIndex {

    static final NodeGroupIndex EMPTY = new NodeGroupIndex(ResourceName.NVIDIA_GPU, List.of(), Set.of());

    private final List<NodeGroup> all;
    private final Set<String> namingKeys;
    private final Map<String, Map<String, List<NodeGroup>>> byLabel = new HashMap<>();
    private final Map<List<Taint>, ClusterSnapshotAllocatable> byTaints = new HashMap<>();

    NodeGroupIndex(ResourceName name, List<NodeGroup> having, Set<String> namingKeys) {
        this.all = new ArrayList<>(having);
        this.namingKeys = namingKeys;
        // Groups with the largest amount on a node come first, so that a search can end early. Among groups with equal
        // amounts, groups with fewer taints come first.
        all.sort(Comparator.comparingLong(
                        (NodeGroup group) -> group.kind().devices().get(name))
                .reversed()
                .thenComparingInt(group -> group.any().taints().size()));
        for (NodeGroup group : all) {
            addLabels(group);
            byTaints.merge(group.any().taints(), group.allocatableOf(name), ClusterSnapshotAllocatable::plus);
        }
    }

    private void addLabels(NodeGroup group) {
        for (Map.Entry<String, String> label : group.any().labels().entrySet()) {
            if (!namingKeys.contains(label.getKey())) {
                byLabel.computeIfAbsent(label.getKey(), _ -> new HashMap<>())
                        .computeIfAbsent(label.getValue(), _ -> new ArrayList<>())
                        .add(group);
            }
        }
    }

    List<NodeGroup> all() {
        return all;
    }

    /**
     * Returns a summary of the Allocatable on the nodes whose taints are tolerated. It is only correct for a pod
     * without other constraints. Many groups have the same taints, so each distinct list of taints is tested only once.
     */
    ClusterSnapshotAllocatable allocatable(Predicate<List<Taint>> tolerated) {
        ClusterSnapshotAllocatable sum = ClusterSnapshotAllocatable.NONE;
        for (Map.Entry<List<Taint>, ClusterSnapshotAllocatable> one : byTaints.entrySet()) {
            if (tolerated.test(one.getKey())) {
                sum = sum.plus(one.getValue());
            }
        }
        return sum;
    }

    /**
     * Finds the label that the fewest groups have, and returns the groups with this label. Returns all groups if there
     * are no labels. Labels that contain the name of a node are ignored.
     */
    List<NodeGroup> withRarestOf(Map<String, String> labels) {
        List<NodeGroup> fewest = all;
        for (Map.Entry<String, String> label : labels.entrySet()) {
            if (!namingKeys.contains(label.getKey())) {
                List<NodeGroup> having =
                        byLabel.getOrDefault(label.getKey(), Map.of()).getOrDefault(label.getValue(), List.of());
                fewest = having.size() < fewest.size() ? having : fewest;
            }
        }
        return fewest;
    }
}
