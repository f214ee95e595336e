package dev.sluice.ledger.placement;

import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.NodeEvent;
import dev.sluice.cluster.NodeKind;
import dev.sluice.cluster.NodesByName;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of the cluster. It is mutable and has one owner; others read the immutable {@link #snapshot()}.
 *
 * <p>A relist has the same effect as single events: nodes that the list does not mention are removed.
 */
public final class NodeLedger {

    private final Map<String, KnownNode> nodes = new HashMap<>();
    private final ResourceVersions<String> versions = new ResourceVersions<>();
    /** The names of the nodes in the pages of the list that has begun; nodes that were removed since are not in it. */
    private final Set<String> inList = new HashSet<>();

    private List<String> removedByList = List.of();

    /** What the next snapshot shares with the last one, but for what has changed. */
    private final NodesByName.Builder byName = new NodesByName.Builder();

    private final Map<NodeKind, NodesOfKind> byKind = new HashMap<>();

    private LabelCensus census = new LabelCensus();
    private long generation;
    private boolean listed;
    private long groupings;

    /** The snapshot of a cluster that has just these nodes. */
    public static ClusterSnapshot snapshotOf(List<Node> nodes) {
        NodeLedger ledger = new NodeLedger();
        var _ = ledger.apply(new NodeEvent.NodesListed(nodes, 0));
        return ledger.snapshot();
    }

    /** Returns whether a decision could now be different, so that a new snapshot is due. */
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

    private boolean replaceAll(NodeEvent.NodesListed list) {
        beginList();
        boolean changed = putPage(list.nodes());
        return endList(list.resourceVersion()) || changed;
    }

    private void beginList() {
        inList.clear();
        if (nodes.isEmpty()) {
            census = new LabelCensus();
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

    /** 0 for a node that is not known. */
    private long version(String name) {
        KnownNode known = nodes.get(name);
        return known == null ? 0 : known.version();
    }

    private boolean put(Node node) {
        @Nullable KnownNode before = nodes.get(node.name());
        if (before != null && before.node().sameFor(node)) {
            before.seenAgain(node.resourceVersion());
            return false;
        }
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
        nodes.put(node.name(), grouped(node, node.resourceVersion()));
        return true;
    }

    private void groupAnew() {
        byKind.clear();
        groupings++;
        nodes.replaceAll((_, known) -> grouped(known.node(), known.version()));
    }

    private KnownNode grouped(Node node, long version) {
        NodesOfKind group = byKind.computeIfAbsent(NodeKind.of(node, census.namingKeys()), NodesOfKind::new);
        KnownNode known = new KnownNode(node, version, group);
        group.add(known);
        return known;
    }

    private void removed(KnownNode known) {
        census.remove(known.node().labels());
        byName.remove(known.node().name());
        known.group().remove(known);
        if (known.group().isEmpty()) {
            byKind.remove(known.kind(), known.group());
        }
    }

    /** A removal may bear the version of the node's last state. */
    private boolean remove(NodeEvent.NodeRemoved removed) {
        String name = removed.name();
        if (!versions.isNews(name, removed.resourceVersion(), version(name) - 1)) {
            return false;
        }
        versions.removed(name, removed.resourceVersion());
        inList.remove(name);
        KnownNode known = nodes.remove(name);
        if (known != null) {
            removed(known);
        }
        return known != null;
    }

    /** The names of the nodes that the last list did not mention when it ended. */
    public List<String> removedByList() {
        return removedByList;
    }

    /** False until the first complete list; nothing may be decided before. */
    public boolean isSynced() {
        return listed;
    }

    /** Null for a node that does not exist. */
    public @Nullable KnownNode known(String name) {
        return nodes.get(name);
    }

    public Collection<KnownNode> all() {
        return Collections.unmodifiableCollection(nodes.values());
    }

    /** Rises when nodes are grouped anew, so that the kind of each may change. */
    public long groupings() {
        return groupings;
    }

    /** The keys of labels that identify nodes, which are not part of their kinds. */
    public Set<String> namingKeys() {
        return census.namingKeys();
    }

    public ClusterSnapshot snapshot() {
        Map<NodeKind, List<Node>> groups = HashMap.newHashMap(byKind.size());
        byKind.forEach((kind, group) -> groups.put(kind, group.list()));
        return ClusterSnapshot.of(generation, byName.build(), groups, census.namingKeys());
    }
}
