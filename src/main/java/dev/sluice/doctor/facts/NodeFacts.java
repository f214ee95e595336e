package dev.sluice.doctor.facts;

import dev.sluice.cluster.Node;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A node.
 *
 * @param reported false where the status has no resources at all, so that nothing is known of them
 * @param ready the condition Ready
 * @param migLabelled when the owner of the labels of a MIG change last wrote to the node; null where that is unknown
 */
public record NodeFacts(
        Node node,
        boolean reported,
        ReadyCondition ready,
        @Nullable Instant migLabelled) {

    /**
     * The condition Ready.
     *
     * @param status True, False or Unknown; empty without the condition
     */
    public record ReadyCondition(String status, String reason) {
        public boolean isNotTrue() {
            return !status.isEmpty() && !status.equals("True");
        }
    }

    /** A node of an API server, which fills in Allocatable, of which resources, labels and taints are known. */
    public static NodeFacts of(Node node) {
        boolean reported = !node.capacity().isEmpty() || !node.allocatable().isEmpty();
        return new NodeFacts(node, reported, new ReadyCondition("", ""), null);
    }

    public String name() {
        return node.name();
    }

    /** The value of a label, empty without it. */
    public String label(String key) {
        String value = node.labels().get(key);
        return value == null ? "" : value;
    }
}
