package dev.sluice.kube.facts;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.sluice.kube.facts.SelectorItem.RequirementItem;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The required node affinity, pod affinity and pod anti-affinity of a pod. Preferred affinity is not read, because it
 * never prevents a pod from running.
 */
record AffinityItem(
        @Nullable NodeAffinityItem nodeAffinity,
        @Nullable PodAffinityItem podAffinity,
        @Nullable PodAffinityItem podAntiAffinity) {

    private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";

    record NodeAffinityItem(
            @JsonProperty(REQUIRED) @Nullable NodeSelectorItem required) {}

    record NodeSelectorItem(List<NodeTermItem> nodeSelectorTerms) {}

    record NodeTermItem(List<RequirementItem> matchExpressions, List<RequirementItem> matchFields) {}

    record PodAffinityItem(@JsonProperty(REQUIRED) List<PodTermItem> required) {}

    record PodTermItem(
            @Nullable SelectorItem labelSelector,
            List<String> namespaces,
            @Nullable SelectorItem namespaceSelector,
            String topologyKey,
            List<String> matchLabelKeys,
            List<String> mismatchLabelKeys) {}
}
