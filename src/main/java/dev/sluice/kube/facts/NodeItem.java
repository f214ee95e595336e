package dev.sluice.kube.facts;

import dev.sluice.doctor.facts.NodeFacts.ReadyCondition;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The fields of a Node that a diagnosis needs. */
record NodeItem(String apiVersion, String kind, ItemMeta metadata, NodeSpecItem spec, NodeStatusItem status)
        implements ClusterItem {

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
        this.status = status == null ? new NodeStatusItem(null, null, List.of()) : status;
    }

    record NodeSpecItem(boolean unschedulable, List<TaintItem> taints) {}

    record TaintItem(String key, String value, String effect) {}

    record NodeStatusItem(
            @FactQuantities @Nullable Map<String, String> capacity,
            @FactQuantities @Nullable Map<String, String> allocatable,
            List<ConditionItem> conditions) {}

    ReadyCondition ready() {
        ConditionItem ready = ConditionItem.of(status.conditions(), "Ready");
        return new ReadyCondition(ready.status(), ready.reason());
    }
}
