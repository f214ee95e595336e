package dev.sluice.diagnosis.path;

import dev.sluice.diagnosis.facts.NodeFacts.ReadyCondition;
import dev.sluice.diagnosis.facts.PodAsk;
import dev.sluice.diagnosis.node.GpuVendor;
import dev.sluice.diagnosis.node.NodeStudy;
import dev.sluice.diagnosis.node.NodeUse;
import dev.sluice.node.Taint;
import dev.sluice.quantity.AmountText;
import dev.sluice.quantity.Amounts;
import dev.sluice.quantity.ResourceName;
import dev.sluice.scheduling.NodeRefusal;
import dev.sluice.scheduling.NodeRequirement;
import dev.sluice.scheduling.NodeSelectorTerm;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What of a node besides its devices keeps a pod off: labels, taints, the cordon, readiness, other resources. */
record NodeMismatches(PodAsk ask, NodeUse.Asker asker) {

    private static final String CONDITION_TAINTS = "node.kubernetes.io/";

    /** Every kubelet reports them; where one is missing the file was shortened, and nothing is known of it. */
    private static final Set<ResourceName> ALWAYS_REPORTED =
            Set.of(ResourceName.CPU, ResourceName.MEMORY, ResourceName.EPHEMERAL_STORAGE);

    /** At most one for each reason. */
    List<Obstacle> on(NodeStudy node) {
        Map<MismatchReason, String> found = new EnumMap<>(MismatchReason.class);
        for (NodeRefusal refusal : ask.constraints().allRefusals(node.facts().node())) {
            refusal(node, refusal, found);
        }
        readiness(node, found);
        resources(node, found);
        return found.entrySet().stream()
                .<Obstacle>map(entry -> new Obstacle.Mismatch(entry.getKey(), entry.getValue()))
                .toList();
    }

    private static void add(Map<MismatchReason, String> found, MismatchReason reason, String fact) {
        found.merge(reason, fact, (one, other) -> one + ", " + other);
    }

    private void refusal(NodeStudy node, NodeRefusal refusal, Map<MismatchReason, String> found) {
        switch (refusal) {
            case NodeRefusal.Cordoned() -> found.put(MismatchReason.CORDON, "it is cordoned");
            case NodeRefusal.SelectorMismatch _ -> found.put(MismatchReason.SELECTOR, selector(node));
            case NodeRefusal.AffinityMismatch() ->
                found.put(MismatchReason.AFFINITY, "the required node affinity wants " + affinity());
            case NodeRefusal.Untolerated(var taint) -> taint(taint, found);
            case NodeRefusal.OtherNode(var wanted) ->
                found.put(MismatchReason.AFFINITY, "the pod is bound to " + wanted);
        }
    }

    private static void taint(Taint taint, Map<MismatchReason, String> found) {
        if (taint.key().equals(Taint.UNSCHEDULABLE.key())) {
            found.put(MismatchReason.CORDON, "it is cordoned");
        } else {
            boolean condition = taint.key().startsWith(CONDITION_TAINTS);
            add(
                    found,
                    condition ? MismatchReason.NOT_READY : MismatchReason.TAINT,
                    "the taint " + taint + " is not tolerated");
        }
    }

    private String selector(NodeStudy node) {
        return "the nodeSelector wants "
                + ask.constraints().nodeSelector().entrySet().stream()
                        .filter(wanted -> !wanted.getValue().equals(node.label(wanted.getKey())))
                        .map(wanted -> wanted.getKey() + "=" + wanted.getValue() + ", which the node "
                                + has(node, wanted.getKey()))
                        .sorted()
                        .collect(Collectors.joining(", "));
    }

    private static String has(NodeStudy node, String key) {
        return node.label(key).isEmpty() ? "does not have" : "has as " + key + "=" + node.label(key);
    }

    private String affinity() {
        return ask.constraints().terms().stream().map(NodeMismatches::text).collect(Collectors.joining(" or "));
    }

    private static String text(NodeSelectorTerm term) {
        return Stream.concat(term.matchExpressions().stream(), term.matchFields().stream())
                .map(NodeMismatches::text)
                .collect(Collectors.joining(" and "));
    }

    private static String text(NodeRequirement requirement) {
        String key = requirement.key();
        List<String> values = requirement.values();
        String equal = values.stream().limit(5).map(value -> key + "=" + value).collect(Collectors.joining(" or "));
        return switch (requirement.operator()) {
            case IN -> equal;
            case NOT_IN -> "not " + equal;
            case EXISTS -> "the label " + key;
            case DOES_NOT_EXIST -> "no label " + key;
            case GT -> key + " above " + String.join(", ", values);
            case LT -> key + " below " + String.join(", ", values);
            case UNKNOWN -> "an unknown operator for " + key;
        };
    }

    /** The scheduler reads the taints of the condition, so a pod that tolerates them all is not kept off. */
    private void readiness(NodeStudy node, Map<MismatchReason, String> found) {
        ReadyCondition ready = node.facts().ready();
        String key = ready.status().equals("False") ? "not-ready" : "unreachable";
        Taint taint = new Taint(CONDITION_TAINTS + key, "", Taint.Effect.NO_SCHEDULE);
        if (ready.isNotTrue() && !ask.constraints().tolerates(taint)) {
            add(
                    found,
                    MismatchReason.NOT_READY,
                    "its condition Ready is " + ready.status() + " (" + ready.reason() + ")");
        }
    }

    private void resources(NodeStudy node, Map<MismatchReason, String> found) {
        Amounts allocatable = node.facts().node().allocatable();
        ask.requests().forEach((resource, asked) -> {
            long free = allocatable.get(resource) - node.use().of(resource, asker);
            boolean known = allocatable.has(resource) || !ALWAYS_REPORTED.contains(resource);
            if (!GpuVendor.isGpu(resource) && known && asked > free) {
                add(found, reason(resource), lack(resource, asked, free));
            }
        });
        if (allocatable.has(ResourceName.PODS)
                && allocatable.get(ResourceName.PODS) <= node.use().pods(asker)) {
            found.put(
                    MismatchReason.PODS,
                    "it has room for " + allocatable.get(ResourceName.PODS) + " pods, all of which are there");
        }
    }

    private static MismatchReason reason(ResourceName resource) {
        return resource.equals(ResourceName.CPU)
                ? MismatchReason.CPU
                : resource.equals(ResourceName.MEMORY) ? MismatchReason.MEMORY : MismatchReason.RESOURCE;
    }

    private static String lack(ResourceName resource, long asked, long free) {
        return resource + ": " + AmountText.of(resource, asked) + " requested, "
                + AmountText.of(resource, Math.max(0, free)) + " free";
    }
}
