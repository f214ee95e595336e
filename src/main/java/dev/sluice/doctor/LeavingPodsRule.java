package dev.sluice.doctor;

import dev.sluice.doctor.DiagnosisCause.Evidence;
import dev.sluice.doctor.facts.ClusterFacts;
import dev.sluice.doctor.facts.PodFacts;
import dev.sluice.text.FirstFiveNames;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Finds owners that do not create a new pod before a terminating pod has ended. A StatefulSet, for example, gives both
 * pods the same name. If the node of the terminating pod is lost, the terminating pod does not end by itself.
 */
final class LeavingPodsRule {

    private final ClusterFacts cluster;
    private final Set<String> notReady;

    LeavingPodsRule(ClusterFacts cluster) {
        this.cluster = cluster;
        notReady = cluster.nodes().stream()
                .filter(node -> node.ready().isNotTrue())
                .map(node -> node.node().name())
                .collect(Collectors.toSet());
    }

    /**
     * Returns the cause if the owner's next pod waits until terminating pods have ended; empty if the owner waits for
     * none.
     */
    Optional<DiagnosisCause> find(DiagnosedOwner owner) {
        List<PodFacts> pods = owner.leaving();
        return pods.isEmpty()
                ? Optional.empty()
                : Optional.of(new DiagnosisCause(
                        DiagnosisCode.HELD_BY_TERMINATING,
                        owner.kind() + " " + owner.fullName() + " creates its next pod once the old one has ended: "
                                + FirstFiveNames.of(pods.stream()
                                        .map(pod -> pod.fullName() + place(pod) + " is being deleted"
                                                + DeviceUseCauses.leaving(pod, cluster))
                                        .toList())
                                + "." + lost(pods),
                        pods.stream()
                                .limit(FirstFiveNames.MOST)
                                .map(pod -> new Evidence(
                                        "Pod",
                                        pod.fullName(),
                                        "terminating" + place(pod) + DeviceUseCauses.leaving(pod, cluster)))
                                .toList()));
    }

    private static String place(PodFacts pod) {
        return pod.isBound() ? " on node " + pod.nodeName() : "";
    }

    private String lost(List<PodFacts> pods) {
        List<String> nodes = pods.stream()
                .map(PodFacts::nodeName)
                .filter(notReady::contains)
                .distinct()
                .toList();
        return nodes.isEmpty()
                ? ""
                : " No kubelet confirms the end, because of " + FirstFiveNames.nodes(nodes)
                        + ", not ready: if the machine is gone, delete the Node, or give it the taint"
                        + " node.kubernetes.io/out-of-service.";
    }
}
