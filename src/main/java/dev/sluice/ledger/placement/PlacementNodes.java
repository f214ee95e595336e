package dev.sluice.ledger.placement;

import dev.sluice.cluster.ClusterGpuEvidence;
import dev.sluice.cluster.ClusterNodesByName;
import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.NodeEvent;
import dev.sluice.cluster.NodeGroupProperties;
import dev.sluice.cluster.dra.DeviceSupply;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the nodes of the cluster. This class is mutable and has one owner; other threads read the immutable
 * {@link #snapshot()}.
 *
 * <p>When a list ends, the nodes that it did not contain are removed.
 */
public final class PlacementNodes {

    private final Map<String, PlacementNode> nodes = new HashMap<>();
    private final PlacementResourceVersions<String> versions = new PlacementResourceVersions<>();
    /**
     * The names of the nodes in the pages of the current list. If an event removes a node before the list ends, its
     * name is removed from this set, too.
     */
    private final Set<String> inList = new HashSet<>();

    private List<String> removedByList = List.of();

    /** The nodes for the next snapshot, which shares unchanged parts with the previous snapshot. */
    private final ClusterNodesByName.Builder byName = new ClusterNodesByName.Builder();

    private final Map<NodeGroupProperties, PlacementNodesOfKind> byKind = new HashMap<>();

    private DeviceSupply supply = DeviceSupply.NONE;
    private @Nullable ClusterGpuEvidence plugin;
    private PlacementLabelCensus census = new PlacementLabelCensus();
    private long generation;
    private boolean listed;
    private long groupings;

    /** Returns the snapshot of a cluster with only these nodes. */
    public static ClusterSnapshot snapshotOf(List<Node> nodes) {
        return snapshotOf(nodes, DeviceSupply.NONE);
    }

    /** Returns the snapshot of a cluster with only these nodes and devices. */
    public static ClusterSnapshot snapshotOf(List<Node> nodes, DeviceSupply supply) {
        PlacementNodes ledger = new PlacementNodes();
        var _ = ledger.offer(supply);
        var _ = ledger.apply(new NodeEvent.NodesListed(nodes, 0));
        return ledger.snapshot();
    }

    /**
     * Applies one event. Returns true if a decision could now be different, so that the caller must publish a new
     * snapshot.
     */
    public boolean apply(NodeEvent event) {
        boolean changed = switch (event) {
            case NodeEvent.NodesListed list -> replaceAll(list);
            case NodeEvent.NodeListBegun _ -> {
                beginList();
                yield false;
            }
            case NodeEvent.NodesPage(List<Node> page) -> putPage(page);
            case NodeEvent.NodeListEnded ended -> endList(ended.resourceVersion());
            case NodeEvent.NodeSeen(Node node) ->
                versions.isNews(node.name(), node.resourceVersion(), version(node.name())) && put(node);
            case NodeEvent.NodeRemoved removed -> remove(removed);
            case NodeEvent.NodesBookmark mark -> {
                versions.bookmark(mark.resourceVersion());
                yield false;
            }
            case NodeEvent.NodesSyncedUpTo _ -> false;
        };
        generation += changed ? 1 : 0;
        return changed;
    }

    /**
     * Replaces the devices that DRA offers in the cluster.
     *
     * @return the names of the nodes whose devices have changed
     */
    public List<String> offer(DeviceSupply newest) {
        if (newest.equals(supply)) {
            return List.of();
        }
        Predicate<Node> mayChange = newest.changedSince(supply);
        supply = newest;
        generation++;
        List<String> changed = new ArrayList<>();
        for (PlacementNode before : List.copyOf(nodes.values())) {
            Node node = mayChange.test(before.node()) ? supply.onto(before.node()) : before.node();
            if (!before.node().sameFor(node)) {
                replace(before, node, before.version());
                changed.add(node.name());
            }
        }
        return changed;
    }

    /**
     * Replaces the evidence that a device plugin for GPUs is installed. Returns true if the change can affect a
     * decision, so that the caller must publish a new snapshot.
     */
    public boolean shows(@Nullable ClusterGpuEvidence sign) {
        boolean changed = !Objects.equals(sign, plugin);
        plugin = sign;
        generation += changed ? 1 : 0;
        return changed;
    }

    /** Returns the generation of the next snapshot. */
    public long generation() {
        return generation;
    }

    private boolean replaceAll(NodeEvent.NodesListed list) {
        beginList();
        boolean changed = putPage(list.nodes());
        return endList(list.resourceVersion()) || changed;
    }

    private void beginList() {
        inList.clear();
        if (nodes.isEmpty()) {
            census = new PlacementLabelCensus();
        }
    }

    private boolean putPage(List<Node> page) {
        boolean changed = false;
        for (Node node : page) {
            inList.add(node.name());
            changed |= put(node);
        }
        return changed;
    }

    private boolean endList(long resourceVersion) {
        boolean changed = !listed;
        listed = true;
        versions.listed(resourceVersion);
        removedByList = nodes.size() == inList.size()
                ? List.of()
                : nodes.keySet().stream().filter(name -> !inList.contains(name)).toList();
        removedByList.forEach(name -> removed(Objects.requireNonNull(nodes.remove(name))));
        changed |= !removedByList.isEmpty();
        inList.clear();
        return changed;
    }

    /** Returns the newest known resourceVersion of the node; 0 if the node is not known. */
    private long version(String name) {
        PlacementNode known = nodes.get(name);
        return known == null ? 0 : known.version();
    }

    private boolean put(Node reported) {
        Node node = supply.onto(reported);
        @Nullable PlacementNode before = nodes.get(node.name());
        if (before != null && before.node().sameFor(node)) {
            before.seenAgain(node.resourceVersion());
            return false;
        }
        replace(before, node, node.resourceVersion());
        return true;
    }

    private void replace(@Nullable PlacementNode before, Node node, long version) {
        if (before != null) {
            removed(before);
        }
        Set<String> namingBefore = census.namingKeys();
        census.add(node.labels());
        if (!census.namingKeys().equals(namingBefore)) {
            nodes.remove(node.name());
            groupAnew();
        }
        byName.put(node);
        nodes.put(node.name(), grouped(node, version));
    }

    private void groupAnew() {
        byKind.clear();
        groupings++;
        nodes.replaceAll((_, known) -> grouped(known.node(), known.version()));
    }

    private PlacementNode grouped(Node node, long version) {
        PlacementNodesOfKind group =
                byKind.computeIfAbsent(NodeGroupProperties.of(node, census.namingKeys()), PlacementNodesOfKind::new);
        PlacementNode known = new PlacementNode(node, version, group);
        group.add(known);
        return known;
    }

    private void removed(PlacementNode known) {
        census.remove(known.node().labels());
        byName.remove(known.node().name());
        known.group().remove(known);
        if (known.group().isEmpty()) {
            byKind.remove(known.kind(), known.group());
        }
    }

    /**
     * Removes a node, unless the event is older than the known state of the node. An event with the same
     * resourceVersion as that state also removes the node.
     */
    private boolean remove(NodeEvent.NodeRemoved removed) {
        String name = removed.name();
        if (!versions.isNews(name, removed.resourceVersion(), version(name) - 1)) {
            return false;
        }
        versions.removed(name, removed.resourceVersion());
        inList.remove(name);
        PlacementNode known = nodes.remove(name);
        if (known != null) {
            removed(known);
        }
        return known != null;
    }

    /** Returns the names of the nodes that were removed at the end of the last list. */
    public List<String> removedByList() {
        return removedByList;
    }

    /** Returns true once the first list is complete. Nothing may be decided before that. */
    public boolean isSynced() {
        return listed;
    }

    /** Returns the node; null if it does not exist. */
    public @Nullable PlacementNode known(String name) {
        return nodes.get(name);
    }

    public Collection<PlacementNode> all() {
        return Collections.unmodifiableCollection(nodes.values());
    }

    /**
     * Returns a counter that increases whenever all nodes are grouped again. The {@link NodeGroupProperties} of each
     * node may then have changed.
     */
    public long groupings() {
        return groupings;
    }

    /**
     * Returns the keys of labels that identify single nodes. Labels with these keys are ignored when nodes are grouped.
     */
    public Set<String> namingKeys() {
        return census.namingKeys();
    }

    public ClusterSnapshot snapshot() {
        Map<NodeGroupProperties, List<Node>> groups = HashMap.newHashMap(byKind.size());
        byKind.forEach((kind, group) -> groups.put(kind, group.list()));
        return ClusterSnapshot.of(generation, byName.build(), groups, census.namingKeys(), supply.names(), plugin);
    }
}
