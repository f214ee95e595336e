package dev.sluice.bench;

/** What a {@link Recording} says of nodes and pods. */
final class RecordedState {

    private RecordedState() {}

    /** What a pod has come to. */
    enum Phase {
        /** It has no node yet. */
        WAITING,
        BOUND,
        RUNNING,
        /** It was deleted and is still on its node. */
        LEAVING,
        GONE
    }

    record PodState(int number, int node, int ask, Phase phase, int revision, long version) {}

    /** @param traits bits of the constants below */
    record NodeState(int number, int traits, long version) {
        static final int SICK = 1;
        static final int CORDONED = 2;
        static final int UPGRADED = 4;
        static final int DELETED = 8;

        boolean has(int trait) {
            return (traits & trait) != 0;
        }
    }

    /** What the watch says of a change. */
    enum ChangeType {
        ADDED,
        MODIFIED,
        DELETED
    }

    /** One change, as the watch tells it: what is deleted has its last state and a new version. */
    sealed interface Change {
        ChangeType type();

        record OfPod(ChangeType type, PodState pod) implements Change {}

        record OfNode(ChangeType type, NodeState node) implements Change {}
    }

    /** A moment of the recording that can be listed. */
    interface Moment {
        /** Numbers of pods are below this; some of them may be gone. */
        int pods();

        PodState pod(int number);

        NodeState node(int number);
    }
}
