package dev.sluice.doctor;

import dev.sluice.cluster.GpuLabels;
import dev.sluice.cluster.GpuVendor;
import dev.sluice.cluster.NodeRequirement;
import dev.sluice.cluster.NodeSelectorTerm;
import dev.sluice.cluster.PodNodeMismatch;
import dev.sluice.cluster.Taint;
import dev.sluice.cluster.Toleration;
import dev.sluice.cluster.quantity.AmountText;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.doctor.DiagnosedNodeTable.AskedColumn;
import dev.sluice.doctor.DiagnosedNodeTable.ResourceColumn;
import dev.sluice.doctor.facts.DraFacts;
import dev.sluice.doctor.facts.NodeFacts.ReadyCondition;
import dev.sluice.doctor.facts.PodDemandFacts;
import dev.sluice.text.FirstFiveNames;
import dev.sluice.text.ShortText;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds what excludes a pod from a node: labels, taints, a cordon, the Ready condition, and resources such as CPU.
 * Missing devices are not checked here.
 */
final class DiagnosedNodeMismatches {

    private static final String CONDITION_TAINTS = "node.kubernetes.io/";
    private static final Taint NOT_READY = new Taint(CONDITION_TAINTS + "not-ready", "", Taint.Effect.NO_SCHEDULE);
    private static final Taint UNREACHABLE = new Taint(CONDITION_TAINTS + "unreachable", "", Taint.Effect.NO_SCHEDULE);

    /**
     * Lists the resources that every kubelet reports. If one of them is missing, the input file was shortened, so the
     * resource counts as unknown instead of 0.
     */
    private static final Set<ResourceName> ALWAYS_REPORTED =
            Set.of(ResourceName.CPU, ResourceName.MEMORY, ResourceName.EPHEMERAL_STORAGE);

    private static final int LONGEST_FACT = 600;

    /**
     * Receives each mismatch. The text about a mismatch comes from a supplier, because most listeners do not need the
     * text.
     */
    private interface MismatchListener {
        void found(DiagnosedMismatchReason reason, Supplier<String> fact);
    }

    private final PodDemandFacts ask;
    private final DiagnosedNodeUse.Asker asker;
    private final DiagnosedNodeTable nodes;
    private final List<AskedColumn> asked;

    DiagnosedNodeMismatches(PodDemandFacts ask, DiagnosedNodeUse.Asker asker, DiagnosedNodeTable nodes) {
        this.ask = ask;
        this.asker = asker;
        this.nodes = nodes;
        // If the pod has a scheduler other than the default one, extended resources that no node reports are left out,
        // because that scheduler may count them itself. HAMi, for example, counts GPU memory.
        asked = nodes.asked(ask.requests()
                .only(resource -> !DraFacts.isDevice(resource)
                        && (ask.isForDefaultScheduler() || !resource.isExtended() || nodes.isOnAny(resource))));
    }

    /** Returns the reasons of all mismatches as bits of {@link DiagnosedMismatchReason#bit}. */
    int reasons(int node) {
        int[] bits = new int[1];
        each(node, (reason, _) -> bits[0] |= reason.bit());
        return bits[0];
    }

    /** Returns the bits of the mismatch reasons that no longer apply after a fault of the node is repaired. */
    int endedBy(FindingCode fault, int place) {
        DiagnosedNode node = nodes.node(place);
        int[] bits = new int[1];
        ask.constraints().forEachRefusal(node.facts().node(), refusal -> {
            if (RepairedLabels.end(refusal, fault, node, ask.constraints())) {
                bits[0] |= refusal instanceof PodNodeMismatch.SelectorMismatch
                        ? DiagnosedMismatchReason.SELECTOR.bit()
                        : DiagnosedMismatchReason.AFFINITY.bit();
            }
        });
        boolean restarts = fault == FindingCode.MIG_CHANGE_RUNNING
                && node.label(NodeFaults.STATE).equals(NodeFaults.REBOOTING);
        return restarts ? bits[0] | DiagnosedMismatchReason.NOT_READY.bit() : bits[0];
    }

    /** Returns the mismatches on the node. Mismatches with the same reason are combined into one. */
    List<PodObstacle> on(int node) {
        Map<DiagnosedMismatchReason, String> found = new EnumMap<>(DiagnosedMismatchReason.class);
        each(node, (reason, fact) -> found.merge(reason, fact.get(), (one, other) -> one + ", " + other));
        return found.entrySet().stream()
                .<PodObstacle>map(
                        entry -> new PodObstacle.Mismatch(entry.getKey(), ShortText.of(entry.getValue(), LONGEST_FACT)))
                .toList();
    }

    private void each(int place, MismatchListener listener) {
        DiagnosedNode node = nodes.node(place);
        boolean[] cordoned = new boolean[1];
        ask.constraints().forEachRefusal(node.facts().node(), refusal -> {
            if (isCordon(refusal)) {
                cordoned[0] = true;
            } else {
                refusal(node, refusal, listener);
            }
        });
        if (cordoned[0]) {
            listener.found(
                    DiagnosedMismatchReason.CORDON,
                    () -> "it is cordoned"
                            + node.upgrade()
                                    .map(label -> (node.hasUpgradeFailed()
                                                    ? ", for the upgrade of its driver has failed ("
                                                    : ", for the driver is being upgraded (")
                                            + label + ")")
                                    .orElse("")
                            + condition(node));
        }
        readiness(node.facts().ready(), listener);
        resources(place, listener);
        pods(node, listener);
    }

    /**
     * Returns true if the node is refused because of a cordon. A cordon sets both a field and a taint of the node. The
     * two resulting refusals count as one.
     */
    private static boolean isCordon(PodNodeMismatch refusal) {
        return switch (refusal) {
            case PodNodeMismatch.Cordoned() -> true;
            case PodNodeMismatch.Untolerated(var taint) -> taint.key().equals(Taint.UNSCHEDULABLE.key());
            default -> false;
        };
    }

    private void refusal(DiagnosedNode node, PodNodeMismatch refusal, MismatchListener listener) {
        switch (refusal) {
            case PodNodeMismatch.Cordoned(), PodNodeMismatch.TooManyForOneClaim() -> {}
            case PodNodeMismatch.SelectorMismatch _ ->
                listener.found(DiagnosedMismatchReason.SELECTOR, () -> selector(node));
            case PodNodeMismatch.AffinityMismatch() ->
                listener.found(
                        DiagnosedMismatchReason.AFFINITY, () -> "the required node affinity wants " + affinity());
            case PodNodeMismatch.Untolerated(var taint) ->
                listener.found(
                        taint.key().startsWith(CONDITION_TAINTS)
                                ? DiagnosedMismatchReason.NOT_READY
                                : DiagnosedMismatchReason.TAINT,
                        () -> "the taint " + taint
                                + (taint.isOfRemoval() ? ", which marks a node that is being removed," : "")
                                + " is not tolerated" + nearly(taint) + condition(node));
            case PodNodeMismatch.OtherNode(var other) ->
                listener.found(DiagnosedMismatchReason.AFFINITY, () -> "the pod is bound to " + other);
        }
    }

    /**
     * Returns a clause with the pod's tolerations for the key of the taint; empty if there are none. The value or the
     * effect of these tolerations differs from the taint, which users easily overlook.
     */
    private String nearly(Taint taint) {
        List<String> like = ask.constraints().tolerations().stream()
                .filter(toleration -> toleration.key().equals(taint.key()))
                .map(Toleration::toString)
                .toList();
        return like.isEmpty() ? "" : " (the pod tolerates " + FirstFiveNames.of(like) + ")";
    }

    /**
     * Returns a clause about the node condition that reports a fault of devices. A controller may have cordoned the
     * node because of this condition.
     */
    private static String condition(DiagnosedNode node) {
        String condition = node.facts().deviceCondition();
        return condition.isEmpty() ? "" : " (the node's condition " + condition + ")";
    }

    private String selector(DiagnosedNode node) {
        return "the nodeSelector wants "
                + ask.constraints().nodeSelector().entrySet().stream()
                        .filter(wanted -> !wanted.getValue().equals(labels(node).get(wanted.getKey())))
                        .map(wanted -> wanted.getKey() + "=" + wanted.getValue() + ", which the node "
                                + has(node, wanted.getKey()))
                        .sorted()
                        .collect(Collectors.joining(", "));
    }

    private static String has(DiagnosedNode node, String key) {
        String value = labels(node).get(key);
        if (value != null) {
            return "has as " + key + "=" + value;
        }
        boolean discovered =
                node.has(GpuVendor.NVIDIA) && !key.equals(GpuLabels.PRESENT) && GpuLabels.isDiscovered(key);
        return "does not have" + (discovered ? node.plugins().discovery() : "");
    }

    private static Map<String, String> labels(DiagnosedNode node) {
        return node.facts().node().labels();
    }

    private String affinity() {
        return ask.constraints().terms().stream()
                .map(DiagnosedNodeMismatches::text)
                .collect(Collectors.joining(" or "));
    }

    private static String text(NodeSelectorTerm term) {
        return Stream.concat(term.matchExpressions().stream(), term.matchFields().stream())
                .map(DiagnosedNodeMismatches::text)
                .collect(Collectors.joining(" and "));
    }

    private static String text(NodeRequirement requirement) {
        String key = requirement.key();
        List<String> values = requirement.values();
        String equal = values.stream()
                        .sorted()
                        .limit(FirstFiveNames.MOST)
                        .map(value -> key + "=" + value)
                        .collect(Collectors.joining(" or "))
                + (values.size() > FirstFiveNames.MOST ? " or " + (values.size() - FirstFiveNames.MOST) + " more" : "");
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

    /**
     * Reports a node that is not ready. Reports nothing if the pod tolerates the taint that Kubernetes adds to such a
     * node, because kube-scheduler checks only this taint.
     */
    private void readiness(ReadyCondition ready, MismatchListener listener) {
        if (ready.isNotTrue()
                && !ask.constraints().tolerates(ready.status().equals("False") ? NOT_READY : UNREACHABLE)) {
            listener.found(
                    DiagnosedMismatchReason.NOT_READY,
                    () -> "its condition Ready is " + ready.status() + " (" + ready.why() + ")");
        }
    }

    private void resources(int node, MismatchListener listener) {
        for (AskedColumn each : asked) {
            ResourceColumn column = each.column();
            long free = column.allocatable(node) - column.used(node, asker);
            if (each.amount() > free && isKnown(column.resource(), node)) {
                listener.found(reason(column.resource()), () -> lack(column.resource(), each.amount(), free));
            }
        }
    }

    private boolean isKnown(ResourceName resource, int node) {
        return !ALWAYS_REPORTED.contains(resource)
                || nodes.node(node).facts().node().allocatable().has(resource);
    }

    private void pods(DiagnosedNode node, MismatchListener listener) {
        Amounts allocatable = node.facts().node().allocatable();
        long room = allocatable.get(ResourceName.PODS);
        if (room <= node.use().pods(asker) && allocatable.has(ResourceName.PODS)) {
            listener.found(
                    DiagnosedMismatchReason.PODS,
                    () -> room == 1
                            ? "it has room for 1 pod, which is there"
                            : "it has room for " + room + " pods, all of which are there");
        }
    }

    private static DiagnosedMismatchReason reason(ResourceName resource) {
        return resource.equals(ResourceName.CPU)
                ? DiagnosedMismatchReason.CPU
                : resource.equals(ResourceName.MEMORY)
                        ? DiagnosedMismatchReason.MEMORY
                        : DiagnosedMismatchReason.RESOURCE;
    }

    private static String lack(ResourceName resource, long asked, long free) {
        return resource + ": " + AmountText.plain(resource, asked) + " requested, "
                + AmountText.plain(resource, Math.max(0, free)) + " free";
    }
}
