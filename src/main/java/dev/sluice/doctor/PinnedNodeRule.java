package dev.sluice.doctor;

import dev.sluice.cluster.GpuVendor;
import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.doctor.DiagnosedRepairSearch.Question;
import dev.sluice.doctor.DiagnosisCause.Evidence;
import dev.sluice.text.FirstFiveNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Explains a pod whose node selector or node affinity names the only node on which the pod may run. The explanation
 * says that this node does not exist, or that it offers too few GPUs.
 */
final class PinnedNodeRule {

    private static final String HOSTNAME = "kubernetes.io/hostname";

    private final List<DiagnosedNode> nodes;

    PinnedNodeRule(List<DiagnosedNode> nodes) {
        this.nodes = nodes;
    }

    /**
     * Improves the causes for a pod whose constraints name the only allowed node. If that node cannot run the pod, the
     * cause about unsuitable nodes begins with a sentence about that node. All other causes are returned unchanged.
     */
    List<DiagnosisCause> explain(List<DiagnosisCause> causes, Question question) {
        Optional<DiagnosisCause> told =
                causes.stream().filter(PinnedNodeRule::isAboutOtherNodes).findFirst();
        Optional<Pin> pin =
                told.isEmpty() ? Optional.empty() : pin(question.ask().constraints());
        if (pin.isEmpty()) {
            return causes;
        }
        Optional<DiagnosisCause> better = better(told.get(), pin.get(), question.gpus());
        return better.isEmpty()
                ? causes
                : causes.stream()
                        .map(cause -> cause.equals(told.get()) ? better.get() : cause)
                        .toList();
    }

    private static boolean isAboutOtherNodes(DiagnosisCause cause) {
        return cause.code() == DiagnosisCode.CONSTRAINT_MISMATCH || cause.code() == DiagnosisCode.NEVER_FITS_ONE_NODE;
    }

    /**
     * Returns a short sentence with the names of the other nodes, if nothing but the constraint that names one node
     * keeps the pod off them. Otherwise returns the text of the cause.
     */
    private static String rest(DiagnosisCause cause, Pin pin) {
        boolean onlyPin = cause.code() == DiagnosisCode.CONSTRAINT_MISMATCH
                && cause.evidence().stream()
                        .allMatch(it -> it.fact()
                                        .startsWith("the nodeSelector wants " + pin.by() + "=" + pin.name() + ", ")
                                || it.fact().equals("the required node affinity wants " + pin.by() + "=" + pin.name()));
        return onlyPin
                ? "This keeps the pod off "
                        + FirstFiveNames.nodes(cause.evidence().stream()
                                .map(Evidence::name)
                                .distinct()
                                .toList())
                        + ", which could run it."
                : cause.text();
    }

    /** @param by the label or field by which the constraint names the node */
    private record Pin(String name, String by) {
        boolean isOf(DiagnosedNode node) {
            return by.equals(HOSTNAME)
                    ? node.label(HOSTNAME).equals(name)
                    : node.name().equals(name);
        }
    }

    private static Optional<Pin> pin(NodeConstraints constraints) {
        return constraints
                .onlyNode()
                .map(name -> new Pin(name, "metadata.name"))
                .or(() -> constraints.onlyHostname().map(name -> new Pin(name, HOSTNAME)));
    }

    private Optional<DiagnosisCause> better(DiagnosisCause cause, Pin pin, Amounts asked) {
        Optional<DiagnosedNode> node = nodes.stream().filter(pin::isOf).findFirst();
        String lead = "The pod is pinned to node " + pin.name() + " (" + pin.by() + "), which ";
        if (node.isEmpty()) {
            return Optional.of(
                    new DiagnosisCause(cause.code(), lead + "does not exist. " + rest(cause, pin), cause.evidence()));
        }
        Amounts offered =
                GpuVendor.gpus(node.get().facts().node().allocatable()).only((_, amount) -> amount > 0);
        List<String> lacked = new ArrayList<>();
        asked.forEach((resource, amount) -> {
            long there = offered.get(resource);
            if (there < amount) {
                lacked.add(there == 0 ? "no " + resource : "only " + there + " of the " + amount + " " + resource);
            }
        });
        if (lacked.isEmpty()) {
            return Optional.empty();
        }
        String offers = offered.isEmpty() ? "no GPU" : offered.listed();
        return Optional.of(new DiagnosisCause(
                cause.code(),
                lead + "offers " + offers + ", and " + String.join(" and ", lacked) + ". " + rest(cause, pin),
                Stream.concat(
                                Stream.of(new Evidence(
                                        "Node", node.get().name(), "the pod is pinned to it; allocatable " + offers)),
                                cause.evidence().stream())
                        .toList()));
    }
}
