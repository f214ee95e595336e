package dev.sluice.doctor;

import dev.sluice.cluster.GpuLabels;
import dev.sluice.cluster.GpuVendor;
import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.NodeRequirement;
import dev.sluice.cluster.NodeSelectorTerm;
import dev.sluice.cluster.PodNodeMismatch;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the labels that a node lacks only because of a fault. Feature discovery, which sets the labels, is paused
 * during a change of the MIG configuration, and needs the same driver as the device plugin. So a node loses its labels
 * together with its devices, and gets both back together.
 */
final class RepairedLabels {

    private static final String SUCCESS = "success";
    private static final String MIG_MARK = "-MIG-";
    private static final String MIG_RESOURCE = "nvidia.com/mig-";

    private RepairedLabels() {}

    /** Returns true if this mismatch between the pod and the node ends when the fault is repaired. */
    static boolean end(PodNodeMismatch refusal, FindingCode fault, DiagnosedNode node, NodeConstraints constraints) {
        return switch (refusal) {
            case PodNodeMismatch.SelectorMismatch _ ->
                constraints.nodeSelector().entrySet().stream()
                        .map(wanted -> new NodeRequirement(
                                wanted.getKey(), NodeRequirement.Operator.IN, List.of(wanted.getValue())))
                        .allMatch(wanted -> isMet(wanted, fault, node));
            case PodNodeMismatch.AffinityMismatch() ->
                constraints.terms().stream().anyMatch(term -> isMet(term, fault, node));
            default -> false;
        };
    }

    private static boolean isMet(NodeSelectorTerm term, FindingCode fault, DiagnosedNode node) {
        return term.matchFields().isEmpty()
                && !term.matchExpressions().isEmpty()
                && term.matchExpressions().stream()
                        .allMatch(wanted -> wanted.isLegalForLabels() && isMet(wanted, fault, node));
    }

    private static boolean isMet(NodeRequirement wanted, FindingCode fault, DiagnosedNode node) {
        return wanted.matches(node.facts().node().labels())
                || isAwaited(wanted, fault, node)
                || labelAfterChange(wanted.key(), fault, node)
                        .filter(value -> wanted.matches(Map.of(wanted.key(), value)))
                        .isPresent();
    }

    /** Returns true if the node lacks the label because the fault keeps feature discovery from setting it. */
    private static boolean isAwaited(NodeRequirement wanted, FindingCode fault, DiagnosedNode node) {
        return node.label(wanted.key()).isEmpty()
                && wanted.operator() != NodeRequirement.Operator.UNKNOWN
                && GpuLabels.isDiscovered(wanted.key())
                && stopsDiscovery(fault, node);
    }

    private static boolean stopsDiscovery(FindingCode fault, DiagnosedNode node) {
        boolean isInstalled = GpuLabels.areOfOperator(node.facts().node().labels())
                || !node.plugins().discovery().isEmpty();
        return switch (fault) {
            case MIG_CHANGE_FAILED, MIG_CHANGE_RUNNING -> true;
            case PLUGIN_NOT_REGISTERED -> isInstalled && NodeFaults.isNotRegistered(node, GpuVendor.NVIDIA);
            case PLUGIN_STOPPED -> isInstalled && NodeFaults.isStopped(node, GpuVendor.NVIDIA);
            default -> false;
        };
    }

    /** Returns the value that a label will have after the change of the MIG configuration; empty if it is not known. */
    private static Optional<String> labelAfterChange(String key, FindingCode fault, DiagnosedNode node) {
        boolean changes = fault == FindingCode.MIG_CHANGE_RUNNING || fault == FindingCode.MIG_CHANGE_FAILED;
        if (changes && key.equals(NodeFaults.STATE)) {
            return Optional.of(SUCCESS);
        }
        boolean named = changes
                && key.equals(DiagnosedGpuProduct.LABEL)
                && node.label(NodeFaults.STRATEGY).equals("single");
        return named ? productAfterChange(node) : Optional.empty();
    }

    /**
     * Returns the value of the product label after the change of the MIG configuration; empty if it is not known. With
     * the MIG strategy "single", this label ends in the profile of the instances.
     */
    private static Optional<String> productAfterChange(DiagnosedNode node) {
        String product = node.product().name();
        int mark = product.indexOf(MIG_MARK);
        String whole = mark < 0 ? product : product.substring(0, mark);
        String wanted = node.label(NodeFaults.WANTED);
        if (whole.isEmpty()) {
            return Optional.empty();
        }
        return wanted.equals("all-disabled")
                ? Optional.of(whole)
                : DiagnosedRepairSupply.named(wanted)
                        .map(profile -> profile.resource().value())
                        .map(resource -> whole + MIG_MARK + resource.substring(MIG_RESOURCE.length()));
    }
}
