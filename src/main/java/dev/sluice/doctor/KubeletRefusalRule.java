package dev.sluice.doctor;

import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.doctor.Cause.Evidence;
import dev.sluice.doctor.facts.ClusterFacts;
import dev.sluice.doctor.facts.PodFacts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Explains why a kubelet refused a pod that was already bound to its node (pkg/kubelet/lifecycle, devicemanager). */
final class KubeletRefusalRule {

    /**
     * Defines how many pods a kubelet must have refused before the explanation advises to cordon the node. A single
     * refusal can be an accident.
     */
    private static final long MANY = 2;

    /**
     * The last words of the evidence about a node whose kubelet refused several pods. {@link NextStep} finds this
     * evidence by these words.
     */
    static final String REFUSED = " pods refused by its kubelet";

    private static final String SHARED = "maximum request size for shared resources is 1";

    private final ClusterFacts cluster;
    private final Map<String, DiagnosedNode> nodes;
    /** Holds the number of pods that the kubelet refused, by the name of the node. */
    private final Map<String, Long> refusedBy;

    /**
     * Creates the rule.
     *
     * @param nodes the nodes by their names
     */
    public KubeletRefusalRule(ClusterFacts cluster, Map<String, DiagnosedNode> nodes) {
        this.cluster = cluster;
        this.nodes = nodes;
        this.refusedBy = cluster.pods().stream()
                .filter(KubeletRefusalRule::isRefused)
                .collect(Collectors.groupingBy(PodFacts::nodeName, Collectors.counting()));
    }

    /**
     * Returns true if the kubelet refused the pod. A pod whose containers all ended with exit code 0 has finished, so a
     * later refusal does not count.
     */
    public static boolean isRefused(PodFacts pod) {
        String reason = pod.state().reason();
        return pod.isBound()
                && pod.state().phase().equals("Failed")
                && !pod.state().endedWell()
                && (reason.equals("UnexpectedAdmissionError")
                        || reason.equals("TopologyAffinityError")
                        || reason.startsWith("OutOf"));
    }

    public List<Cause> causes(PodFacts pod, Amounts gpus) {
        boolean shared = pod.state().message().contains(SHARED);
        String fact = "the kubelet of node " + pod.nodeName() + " refused it with "
                + pod.state().reason() + ": \"" + pod.state().message() + "\"";
        DiagnosedNode node = nodes.get(pod.nodeName());
        List<Evidence> evidence = new ArrayList<>();
        evidence.add(new Evidence("Pod", pod.fullName(), fact));
        if (node != null) {
            gpus.forEach((resource, _) -> evidence.add(
                    new Evidence("Node", node.name(), resource + ": " + node.allocatable(resource) + " allocatable")));
        }
        if (shared) {
            return List.of(new Cause(
                    VerdictCode.SHARED_REQUEST_TOO_LARGE,
                    "The pod requests " + gpus.sum() + " of a shared resource, of which a pod may request 1 at most: "
                            + fact + ".",
                    evidence));
        }
        List<Cause> causes = new ArrayList<>();
        long again = refusedBy.getOrDefault(pod.nodeName(), 0L);
        String storm = again < MANY
                ? ""
                : " This kubelet has refused " + again + " pods: cordon node " + pod.nodeName()
                        + " first, because a pod that takes the place of a deleted one may be bound there again.";
        if (again >= MANY) {
            evidence.add(new Evidence("Node", pod.nodeName(), again + REFUSED));
        }
        causes.add(new Cause(VerdictCode.KUBELET_REFUSED, "The pod was bound, and " + fact + "." + storm, evidence));
        if (node != null) {
            NodeFaults.first(node).ifPresent(fault -> {
                String text = NodeFaultText.of(fault, node, cluster);
                causes.add(new Cause(VerdictCode.of(fault), text, new Evidence("Node", node.name(), text)));
            });
        }
        return causes;
    }
}
