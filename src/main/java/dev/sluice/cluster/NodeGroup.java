package dev.sluice.cluster;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Nodes that every pod treats alike, unless it names a node: the same devices, taints and shared labels. What holds for
 * one of them holds for all, so that a decision looks at kinds of nodes and not at nodes.
 *
 * @param devices the extended resources of which each node has some
 */
record NodeGroup(Amounts devices, List<Node> nodes) {

    /** What nodes must have in common to be in one group. */
    record Key(Amounts devices, List<Taint> taints, Map<String, String> sharedLabels, int hash) {

        static Key of(Node node, Set<String> namingKeys) {
            Map<String, String> shared = node.labels().entrySet().stream()
                    .filter(label -> !namingKeys.contains(label.getKey()))
                    .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
            Amounts devices = devicesOf(node);
            return new Key(
                    devices,
                    node.taints(),
                    shared,
                    31 * devices.hashCode() + shared.hashCode() + node.taints().hashCode());
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }

    static Amounts devicesOf(Node node) {
        Amounts allocatable = node.allocatable();
        return allocatable.only(name -> name.isExtended() && allocatable.get(name) > 0);
    }

    Node any() {
        return nodes.getFirst();
    }
}
