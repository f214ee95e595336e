package dev.sluice.cluster;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Nodes that every pod treats alike, unless it names a node: the same devices, taints and shared labels. What holds for
 * one of them holds for all, so that a decision looks at kinds of nodes and not at nodes.
 */
record NodeGroup(Key kind, List<Node> nodes) {

    private static final String HOSTNAME = NodeConstraints.HOSTNAME;

    /**
     * What nodes must have in common to be in one group. It reads the labels of the node it was made of, except those
     * that name nodes, instead of copying the others: a cluster has as many keys as nodes for a moment.
     */
    static final class Key {

        private final Node example;
        private final Set<String> namingKeys;
        private final Amounts devices;
        private final Amounts capacity;
        private final boolean hostnameIsName;
        private final int sharedLabels;
        private final int hash;

        private Key(Node example, Set<String> namingKeys) {
            this.example = example;
            this.namingKeys = namingKeys;
            this.devices = devicesIn(example.allocatable());
            this.capacity = devicesIn(example.capacity());
            this.hostnameIsName = example.name().equals(example.labels().get(HOSTNAME));
            int labels = 0;
            int labelsHash = 0;
            for (Map.Entry<String, String> label : example.labels().entrySet()) {
                if (!namingKeys.contains(label.getKey())) {
                    labels++;
                    labelsHash += label.hashCode();
                }
            }
            this.sharedLabels = labels;
            this.hash = 31 * (31 * devices.hashCode() + example.taints().hashCode()) + labelsHash;
        }

        static Key of(Node node, Set<String> namingKeys) {
            return new Key(node, namingKeys);
        }

        @Override
        public boolean equals(Object other) {
            return this == other
                    || (other instanceof Key that
                            && hash == that.hash
                            && sharedLabels == that.sharedLabels
                            && hostnameIsName == that.hostnameIsName
                            && devices.equals(that.devices)
                            && capacity.equals(that.capacity)
                            && example.taints().equals(that.example.taints())
                            && sharesLabelsWith(that));
        }

        private boolean sharesLabelsWith(Key that) {
            Map<String, String> others = that.example.labels();
            for (Map.Entry<String, String> label : example.labels().entrySet()) {
                if (!namingKeys.contains(label.getKey()) && !label.getValue().equals(others.get(label.getKey()))) {
                    return false;
                }
            }
            return true;
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }

    /** The extended resources of which there are some. */
    static Amounts devicesIn(Amounts amounts) {
        return amounts.only(name -> name.isExtended() && amounts.get(name) > 0);
    }

    /** What each node can give pods. */
    Amounts devices() {
        return kind.devices;
    }

    /** What each node has, unhealthy devices included. */
    Amounts capacity() {
        return kind.capacity;
    }

    /** True when the hostname label of each node is its name. */
    boolean hostnameIsName() {
        return kind.hostnameIsName;
    }

    Node any() {
        return nodes.getFirst();
    }
}
