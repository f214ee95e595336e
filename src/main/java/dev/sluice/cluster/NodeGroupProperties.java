package dev.sluice.cluster;

import dev.sluice.cluster.quantity.Amounts;
import java.util.Map;
import java.util.Set;

/**
 * The properties that all nodes of a group have in common. Labels that contain the name of a node do not belong to
 * them. This object refers to the labels and taints of one node of the group and does not copy them.
 */
public final class NodeGroupProperties {

    private static final String HOSTNAME = NodeConstraints.HOSTNAME;

    private final Node example;
    private final Set<String> namingKeys;
    private final Amounts devices;
    private final Amounts capacity;
    private final boolean hostnameIsName;
    private final int sharedLabels;
    private final int hash;

    private NodeGroupProperties(Node example, Set<String> namingKeys) {
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

    public static NodeGroupProperties of(Node node, Set<String> namingKeys) {
        return new NodeGroupProperties(node, namingKeys);
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || (other instanceof NodeGroupProperties that
                        && hash == that.hash
                        && sharedLabels == that.sharedLabels
                        && hostnameIsName == that.hostnameIsName
                        && devices.equals(that.devices)
                        && capacity.equals(that.capacity)
                        && doubtful().equals(that.doubtful())
                        && example.byClaims()
                                .offered()
                                .equals(that.example.byClaims().offered())
                        && example.taints().equals(that.example.taints())
                        && sharesLabelsWith(that));
    }

    private boolean sharesLabelsWith(NodeGroupProperties that) {
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

    /** Returns the extended resources in the Allocatable of each node. */
    public Amounts devices() {
        return devices;
    }

    /** Returns the extended resources in the capacity of each node, including unhealthy devices. */
    Amounts capacity() {
        return capacity;
    }

    /** Returns the extended resources that DRA may provide on each node, in addition to {@link #devices}. */
    Amounts doubtful() {
        return example.byClaims().doubtful();
    }

    /** Returns true if the hostname label of each node equals the name of the node. */
    public boolean hostnameIsName() {
        return hostnameIsName;
    }

    /** Returns the extended resources with an amount above 0. */
    static Amounts devicesIn(Amounts amounts) {
        return amounts.only(name -> name.isExtended() && amounts.get(name) > 0);
    }
}
