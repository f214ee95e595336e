package dev.sluice.ledger.nodeindex;

import dev.sluice.event.NodeEvent;
import dev.sluice.node.Node;
import dev.sluice.snapshot.ClusterSnapshot;
import dev.sluice.snapshot.NodeKind;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of the cluster. It is mutable and has one owner; others read the immutable {@link #snapshot()}.
 *
 * <p>A relist has the same effect as single events: nodes that the list does not mention are removed.
 */
public final class NodeLedger {

    private final Map<String, KnownNode> nodes = new HashMap<>();
    private final ResourceVersions<String> versions = new ResourceVersions<>();
    /** The names of the nodes in the pages of the list that has begun. */
    private final Set<String> inList = new HashSet<>();

    /** Each kind once, so that nodes of a kind share one object. */
    private final Map<NodeKind, NodeKind> kinds = new HashMap<>();

    private LabelCensus census = new LabelCensus();
    private long generation;
    private boolean listed;
    private long groupings;

    /** A node and its kind. */
    public record KnownNode(Node node, NodeKind kind) {}

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
        for (Iterator<KnownNode> left = nodes.values().iterator(); left.hasNext(); ) {
            Node node = left.next().node();
            if (!inList.contains(node.name())) {
                census.remove(node.labels());
                left.remove();
                changed = true;
            }
        }
        inList.clear();
        return changed;
    }

    /** 0 for a node that is not known. */
    private long version(String name) {
        KnownNode known = nodes.get(name);
        return known == null ? 0 : known.node().resourceVersion();
    }

    private boolean put(Node node) {
        @Nullable KnownNode before = nodes.get(node.name());
        if (before != null && before.node().sameFor(node)) {
            nodes.put(node.name(), new KnownNode(node, before.kind()));
            return false;
        }
        if (before != null) {
            census.remove(before.node().labels());
        }
        Set<String> namingBefore = census.namingKeys();
        census.add(node.labels());
        if (!census.namingKeys().equals(namingBefore)) {
            kinds.clear();
            groupings++;
            nodes.replaceAll((_, known) -> grouped(known.node()));
        }
        nodes.put(node.name(), grouped(node));
        return true;
    }

    private KnownNode grouped(Node node) {
        NodeKind kind = NodeKind.of(node, census.namingKeys());
        return new KnownNode(node, kinds.computeIfAbsent(kind, first -> first));
    }

    /** A removal may bear the version of the node's last state. */
    private boolean remove(NodeEvent.NodeRemoved removed) {
        String name = removed.name();
        if (!versions.isNews(name, removed.resourceVersion(), version(name) - 1)) {
            return false;
        }
        versions.removed(name, removed.resourceVersion());
        KnownNode known = nodes.remove(name);
        if (known != null) {
            census.remove(known.node().labels());
        }
        return known != null;
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
        Map<NodeKind, List<Node>> groups = nodes.values().stream()
                .collect(Collectors.groupingBy(
                        KnownNode::kind, Collectors.mapping(KnownNode::node, Collectors.toUnmodifiableList())));
        // Kinds without nodes are forgotten.
        kinds.keySet().retainAll(groups.keySet());
        return ClusterSnapshot.of(generation, groups, census.namingKeys());
    }
}
