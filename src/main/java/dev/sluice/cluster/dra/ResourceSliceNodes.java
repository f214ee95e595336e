package dev.sluice.cluster.dra;

import dev.sluice.cluster.Node;
import dev.sluice.cluster.NodeSelectorTerm;
import java.util.List;

/** The nodes on which devices can be used: either all devices of a ResourceSlice, or a single device. */
public sealed interface ResourceSliceNodes {

    /** Returns true if the devices can be used on this node. */
    boolean includes(Node node);

    record NamedNode(String name) implements ResourceSliceNodes {
        @Override
        public boolean includes(Node node) {
            return node.name().equals(name);
        }
    }

    record EveryNode() implements ResourceSliceNodes {
        @Override
        public boolean includes(Node node) {
            return true;
        }
    }

    record SelectedNodes(List<NodeSelectorTerm> terms) implements ResourceSliceNodes {
        public SelectedNodes {
            terms = List.copyOf(terms);
        }

        @Override
        public boolean includes(Node node) {
            return terms.stream().anyMatch(term -> term.matches(node.name(), node.labels()));
        }
    }

    /** Each device of the slice specifies its own nodes. {@link #includes} therefore returns true for every node. */
    record ByDevice() implements ResourceSliceNodes {
        @Override
        public boolean includes(Node node) {
            return true;
        }
    }

    /**
     * No nodes are specified, or they are specified in a way that is unknown to Sluice. The scheduler does not use such
     * devices.
     */
    record NoKnownNode() implements ResourceSliceNodes {
        @Override
        public boolean includes(Node node) {
            return false;
        }
    }
}
