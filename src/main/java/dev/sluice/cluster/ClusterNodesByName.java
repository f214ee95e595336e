package dev.sluice.cluster;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The nodes of a snapshot by name, divided into parts. Two snapshots share the parts in which no node has changed, so a
 * change of a node copies only one part even in a large cluster. Objects of this class are immutable.
 */
public final class ClusterNodesByName {

    /** The number of parts. With 100,000 nodes, a part has about 200 nodes. */
    private static final int PARTS = 512;

    private final List<Map<String, Node>> parts;
    private final int size;

    private ClusterNodesByName(List<Map<String, Node>> parts, int size) {
        this.parts = List.copyOf(parts);
        this.size = size;
    }

    private static int partOf(String name) {
        int hash = name.hashCode();
        return (hash ^ (hash >>> 16)) & (PARTS - 1);
    }

    int size() {
        return size;
    }

    Optional<Node> get(String name) {
        return Optional.ofNullable(parts.get(partOf(name)).get(name));
    }

    NavigableMap<String, Node> sorted() {
        NavigableMap<String, Node> sorted = new TreeMap<>();
        parts.forEach(sorted::putAll);
        return sorted;
    }

    /** Collects the nodes of the next snapshot. This class is not thread-safe. */
    public static final class Builder {

        private final List<Map<String, Node>> parts = new ArrayList<>(Collections.nCopies(PARTS, Map.of()));
        /**
         * The parts that this builder has copied since the last snapshot. The builder may change them, because no
         * snapshot contains them.
         */
        private final BitSet own = new BitSet(PARTS);

        private int size;

        public void put(Node node) {
            size += owned(node.name()).put(node.name(), node) == null ? 1 : 0;
        }

        public void remove(String name) {
            size -= owned(name).remove(name) == null ? 0 : 1;
        }

        private Map<String, Node> owned(String name) {
            int part = partOf(name);
            if (!own.get(part)) {
                own.set(part);
                parts.set(part, new HashMap<>(parts.get(part)));
            }
            return parts.get(part);
        }

        /**
         * Returns the nodes. The builder shares all its parts with the result. It copies a part before it changes the
         * part.
         */
        public ClusterNodesByName build() {
            own.clear();
            return new ClusterNodesByName(parts, size);
        }
    }
}
