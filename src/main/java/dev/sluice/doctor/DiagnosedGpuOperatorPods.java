package dev.sluice.doctor;

import dev.sluice.cluster.GpuVendor;
import dev.sluice.cluster.PodNodeMismatch;
import dev.sluice.doctor.DiagnosedDevicePluginPods.DownSoftware;
import dev.sluice.doctor.DiagnosisCause.Evidence;
import dev.sluice.doctor.facts.ClusterFacts;
import dev.sluice.doctor.facts.PodFacts;
import dev.sluice.text.FirstFiveNames;
import dev.sluice.text.ShortText;
import java.util.List;

/**
 * Finds the pods of GPU operators that do not run. An operator creates the DaemonSets of the device plugin and the
 * driver, and labels the nodes that they select.
 */
final class DiagnosedGpuOperatorPods {

    private static final int LONGEST_QUOTE = 200;

    private DiagnosedGpuOperatorPods() {}

    /**
     * Returns a sentence about the pods of the vendor's operator that do not run. The sentence begins with a blank. It
     * is empty if all pods run, or if there is no operator.
     */
    static String sentence(GpuVendor vendor, DownSoftware down, ClusterFacts cluster) {
        List<String> told =
                down.operators(vendor).stream().map(pod -> told(pod, cluster)).toList();
        return told.isEmpty()
                ? ""
                : " The GPU operator, which installs and labels what a plugin needs, does not run: "
                        + FirstFiveNames.of(told) + ".";
    }

    static List<Evidence> evidence(GpuVendor vendor, DownSoftware down, ClusterFacts cluster) {
        return down.operators(vendor).stream()
                .map(pod -> new Evidence("Pod", pod.fullName(), told(pod, cluster)))
                .toList();
    }

    private static String told(PodFacts pod, ClusterFacts cluster) {
        return DiagnosedNodeFaultText.state(pod, "pod ") + (pod.isBound() ? "" : whyNot(pod, cluster));
    }

    /** Returns the reason why the pod is not bound to a node, as a clause in parentheses; empty if it is unknown. */
    private static String whyNot(PodFacts pod, ClusterFacts cluster) {
        List<String> labels = pod.ask().constraints().labelsAsked();
        boolean matchesNone = cluster.nodes().stream()
                .allMatch(node -> pod.ask()
                        .constraints()
                        .isRefused(node.node(), PodNodeMismatch.AffinityMismatch.class::isInstance));
        if (matchesNone && !labels.isEmpty()) {
            return " (no node has the labels that it asks for: " + FirstFiveNames.of(labels) + ")";
        }
        return pod.unscheduled() == null
                ? ""
                : " (\"" + ShortText.of(pod.unscheduled().text(), LONGEST_QUOTE) + "\")";
    }
}
