package dev.sluice.cluster;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the watcher has told so far. Mutable, with one owner; what others read is the immutable {@link #snapshot()}.
 *
 * <p>A relist takes the same path as single events: what the list does not mention is removed. Replayed and overtaken
 * events are recognised by the resourceVersion of the node they speak of, and change nothing.
 */
public final class NodeLedger {

    private final Map<String, Entry> nodes = new HashMap<>();
    /** Versions at which nodes went away, so that a replayed older event does not bring back a ghost. */
    private final Map<String, Long> removals = new HashMap<>();

    /** Each kind of node once, so that nodes of a kind are grouped by looking at references. */
    private final Map<NodeGroup.Key, NodeGroup.Key> kinds = new HashMap<>();

    private LabelCensus census = new LabelCensus();
    private long bookmark;
    private long generation;
    private boolean listed;

    private record Entry(Node node, NodeGroup.Key group) {}

    /** What a cluster of just these nodes looks like to a decision. */
    public static ClusterSnapshot snapshotOf(List<Node> nodes) {
        NodeLedger ledger = new NodeLedger();
        var _ = ledger.apply(new NodeEvent.NodesListed(nodes, 0));
        return ledger.snapshot();
    }

    /** True when a decision could now come out differently, so that a new snapshot is due. */
    public boolean apply(NodeEvent event) {
        boolean changed = switch (event) {
            case NodeEvent.NodesListed list -> replaceAll(list);
            case NodeEvent.NodeSeen seen -> isNews(seen.node()) && put(seen.node());
            case NodeEvent.NodeRemoved removed -> remove(removed);
            case NodeEvent.Bookmark mark -> passed(mark.resourceVersion());
        };
        generation += changed ? 1 : 0;
        return changed;
    }

    private boolean replaceAll(NodeEvent.NodesListed list) {
        boolean first = !listed;
        listed = true;
        removals.clear();
        bookmark = list.resourceVersion();
        Map<String, Node> wanted =
                list.nodes().stream().collect(Collectors.toMap(Node::name, node -> node, (_, later) -> later));
        boolean changed = nodes.keySet().retainAll(wanted.keySet());
        census = new LabelCensus();
        kinds.clear();
        wanted.values().forEach(node -> census.add(node.labels()));
        for (Node node : wanted.values()) {
            Entry before = nodes.put(node.name(), entry(node));
            changed |= before == null || !before.node().sameFor(node);
        }
        return changed || first;
    }

    /** A source without versions is believed; otherwise only what is newer than everything known of this node. */
    private boolean isNews(Node node) {
        long version = node.resourceVersion();
        if (version == 0) {
            return true;
        }
        Entry known = nodes.get(node.name());
        return version > bookmark
                && version > removals.getOrDefault(node.name(), 0L)
                && (known == null || version > known.node().resourceVersion());
    }

    private boolean put(Node node) {
        @Nullable Entry before = nodes.get(node.name());
        if (before != null && before.node().sameFor(node)) {
            nodes.put(node.name(), new Entry(node, before.group()));
            return false;
        }
        if (before != null) {
            census.remove(before.node().labels());
        }
        Set<String> namingBefore = census.namingKeys();
        census.add(node.labels());
        if (!census.namingKeys().equals(namingBefore)) {
            kinds.clear();
            nodes.replaceAll((_, entry) -> entry(entry.node()));
        }
        nodes.put(node.name(), entry(node));
        return true;
    }

    private Entry entry(Node node) {
        NodeGroup.Key kind = NodeGroup.Key.of(node, census.namingKeys());
        return new Entry(node, kinds.computeIfAbsent(kind, first -> first));
    }

    private boolean remove(NodeEvent.NodeRemoved removed) {
        Entry known = nodes.get(removed.name());
        long version = removed.resourceVersion();
        if (version != 0) {
            if (version <= bookmark || (known != null && version < known.node().resourceVersion())) {
                return false;
            }
            removals.merge(removed.name(), version, Math::max);
        }
        if (known == null) {
            return false;
        }
        census.remove(known.node().labels());
        nodes.remove(removed.name());
        return true;
    }

    /** Whatever is replayed from before the bookmark is old, so single removals need not be remembered. */
    private boolean passed(long resourceVersion) {
        bookmark = Math.max(bookmark, resourceVersion);
        removals.values().removeIf(version -> version <= bookmark);
        return false;
    }

    /** False until the first complete list: before that nothing may be decided. */
    public boolean isSynced() {
        return listed;
    }

    public ClusterSnapshot snapshot() {
        Map<NodeGroup.Key, List<Node>> groups = nodes.values().stream()
                .collect(Collectors.groupingBy(
                        Entry::group, Collectors.mapping(Entry::node, Collectors.toUnmodifiableList())));
        // Kinds that have died out are forgotten.
        kinds.keySet().retainAll(groups.keySet());
        return ClusterSnapshot.of(generation, groups, census.namingKeys());
    }
}
