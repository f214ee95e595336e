package dev.sluice.doctor.facts;

import dev.sluice.cluster.GpuVendor;
import dev.sluice.cluster.Node;
import dev.sluice.text.ShortText;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Describes a node.
 *
 * @param reported false if the node status contains no resources, so that the resources of the node are unknown
 * @param ready the Ready condition of the node
 * @param migLabelled the time when the MIG manager last wrote to the node, which shows when a change of the MIG
 *     configuration began; null if that time is unknown
 * @param deviceCondition a condition that reports a fault of the node's GPUs, as text such as {@code GpuFault is True,
 *     XidError}; empty if there is none
 * @param osImage the operating system of the node with its variant; empty if it is not known
 */
public record NodeFacts(
        Node node,
        boolean reported,
        ReadyCondition ready,
        @Nullable Instant migLabelled,
        String deviceCondition,
        String osImage) {

    /**
     * Describes the Ready condition of a node.
     *
     * @param status True, False or Unknown; empty if the node has no Ready condition
     * @param message the message of the condition, for example which parts of the node are not ready
     */
    public record ReadyCondition(String status, String reason, String message) {

        /**
         * Limits the length, in characters, of a quoted message. The message may list every part of the node that is
         * not ready.
         */
        private static final int LONGEST = 200;

        private static final ReadyCondition NONE = new ReadyCondition("", "", "");

        public boolean isNotTrue() {
            return !status.isEmpty() && !status.equals("True");
        }

        /** Returns the reason, with the message if there is one. */
        public String why() {
            return reason + (message.isEmpty() ? "" : ": \"" + ShortText.of(message, LONGEST) + "\"");
        }
    }

    /**
     * Returns the facts about a node of which only resources, labels and taints are known. The node must come from an
     * API server, because only an API server fills in a missing Allocatable.
     */
    public static NodeFacts of(Node node) {
        boolean reported = !node.capacity().isEmpty() || !node.allocatable().isEmpty();
        return new NodeFacts(node, reported, ReadyCondition.NONE, null, "", "");
    }

    /**
     * Returns a copy of these facts with another {@code node}, for example with a node whose Allocatable also contains
     * the devices that DRA allocates.
     */
    public NodeFacts with(Node other) {
        return new NodeFacts(other, reported, ready, migLabelled, deviceCondition, osImage);
    }

    /**
     * Returns true if the operating system itself runs the device plugin, so that the plugin has no pod. This is true
     * for the variants of Bottlerocket for GPU vendors. EKS Auto Mode uses these variants.
     */
    public boolean hasBuiltInPlugin(GpuVendor vendor) {
        return osImage.startsWith("Bottlerocket")
                && osImage.endsWith("-" + vendor.name().toLowerCase(Locale.ROOT) + ")");
    }

    public String name() {
        return node.name();
    }

    /** Returns the value of a label; empty if the node does not have the label. */
    public String label(String key) {
        String value = node.labels().get(key);
        return value == null ? "" : value;
    }
}
