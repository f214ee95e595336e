package dev.sluice.kube.facts;

import dev.sluice.doctor.facts.NodeFacts.ReadyCondition;
import dev.sluice.text.ShortText;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The fields of a Node that a diagnosis needs. */
record NodeItem(String apiVersion, String kind, ItemMeta metadata, NodeSpecItem spec, NodeStatusItem status)
        implements ClusterItem {

    private static final Pattern OF_DEVICES = Pattern.compile("(?i)gpu|nvidia|xid|nvlink|nvswitch|accelerat|dcgm");
    private static final Pattern GOOD = Pattern.compile("(Ready|Healthy|Available|Ok|OK)$");
    private static final Pattern BAD = Pattern.compile("(NotReady|Unhealthy|Unavailable)$");

    private static final int LONGEST_CONDITION = 200;

    NodeItem(
            String apiVersion,
            String kind,
            @Nullable ItemMeta metadata,
            @Nullable NodeSpecItem spec,
            @Nullable NodeStatusItem status) {
        this.apiVersion = apiVersion;
        this.kind = kind;
        this.metadata = metadata == null ? ItemMeta.NONE : metadata;
        this.spec = spec == null ? new NodeSpecItem(/* unschedulable= */ false, List.of()) : spec;
        this.status = status == null ? new NodeStatusItem(null, null, List.of(), null) : status;
    }

    record NodeSpecItem(boolean unschedulable, List<TaintItem> taints) {}

    record TaintItem(String key, String value, String effect) {}

    record NodeStatusItem(
            @FactQuantities @Nullable Map<String, String> capacity,
            @FactQuantities @Nullable Map<String, String> allocatable,
            List<ConditionItem> conditions,
            @Nullable NodeInfoItem nodeInfo) {}

    record NodeInfoItem(String osImage) {}

    /**
     * Returns the first condition that reports a fault of the GPUs. Health agents such as node-problem-detector write
     * such conditions. Usually the status True means a fault. If the name ends in a word such as {@code Ready}, as in
     * {@code AcceleratedHardwareReady}, the status False means a fault.
     */
    String deviceCondition() {
        return status.conditions().stream()
                .filter(condition -> OF_DEVICES
                        .matcher(condition.type() + " " + condition.reason())
                        .find())
                .filter(condition -> condition.status().equals(isGood(condition.type()) ? "False" : "True"))
                .findFirst()
                .map(condition -> ShortText.of(
                        condition.type() + " is " + condition.status()
                                + (condition.reason().isEmpty() ? "" : ", " + condition.reason())
                                + (condition.message().isEmpty() ? "" : ": \"" + condition.message() + "\""),
                        LONGEST_CONDITION))
                .orElse("");
    }

    private static boolean isGood(String type) {
        return GOOD.matcher(type).find() && !BAD.matcher(type).find();
    }

    /** Returns the operating system of the node with its variant; empty if it is not known. */
    String osImage() {
        return status.nodeInfo() == null ? "" : ShortText.of(status.nodeInfo().osImage(), LONGEST_CONDITION);
    }

    ReadyCondition ready() {
        ConditionItem ready = ConditionItem.of(status.conditions(), "Ready");
        return new ReadyCondition(ready.status(), ready.reason(), ready.message());
    }
}
