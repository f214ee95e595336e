package dev.sluice.snapshot;

import dev.sluice.node.Taint;
import dev.sluice.quantity.ResourceName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** The kinds of nodes that have one resource: all of them, and those with each label. Immutable once made. */
final class NodeGroupIndex {

    static final NodeGroupIndex EMPTY = new NodeGroupIndex(ResourceName.NVIDIA_GPU, List.of(), Set.of());

    private final List<NodeGroup> all;
    private final Set<String> namingKeys;
    private final Map<String, Map<String, List<NodeGroup>>> byLabel = new HashMap<>();
    private final Map<List<Taint>, AllocatableSummary> byTaints = new HashMap<>();

    NodeGroupIndex(ResourceName name, List<NodeGroup> having, Set<String> namingKeys) {
        this.all = new ArrayList<>(having);
        this.namingKeys = namingKeys;
        // The richest first, so that a search can end early; of these the ones that let most pods in.
        all.sort(Comparator.comparingLong((NodeGroup group) -> group.devices().get(name))
                .reversed()
                .thenComparingInt(group -> group.any().taints().size()));
        for (NodeGroup group : all) {
            addLabels(group);
            byTaints.merge(group.any().taints(), group.allocatableOf(name), AllocatableSummary::plus);
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

    /** What a pod is offered that minds nothing but taints: of so many kinds of nodes few differ in these. */
    AllocatableSummary allocatable(Predicate<List<Taint>> tolerated) {
        AllocatableSummary sum = AllocatableSummary.NONE;
        for (Map.Entry<List<Taint>, AllocatableSummary> one : byTaints.entrySet()) {
            if (tolerated.test(one.getKey())) {
                sum = sum.plus(one.getValue());
            }
        }
        return sum;
    }

    /** Those with the rarest of these labels, the richest first; which labels name nodes does not matter here. */
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
