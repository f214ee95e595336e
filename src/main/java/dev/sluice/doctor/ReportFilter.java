package dev.sluice.doctor;

import dev.sluice.doctor.facts.FirstFive;
import java.util.List;
import java.util.Optional;

/**
 * Which part of a report is wanted.
 *
 * @param pod as namespace/name; then no nodes are wanted
 * @param node then no pods are wanted
 * @param namespace of the pods
 */
public record ReportFilter(Optional<String> pod, Optional<String> node, Optional<String> namespace) {

    /** What could not be checked stays. */
    public ClusterReport of(ClusterReport report) {
        return new ClusterReport(
                report.pods().stream().filter(this::wants).toList(),
                report.nodes().stream()
                        .filter(it ->
                                pod.isEmpty() && node.filter(it.name()::equals).isPresent() == node.isPresent())
                        .toList(),
                report.faults(),
                report.unchecked(),
                report.podsKnown());
    }

    /** The sentence that matters most about the part that {@link #of} gave; empty where its findings say it. */
    public Optional<String> headline(ClusterReport part) {
        return node.isEmpty()
                ? Optional.of(pods(part) + unread(part))
                : node.filter(_ -> part.nodes().isEmpty())
                        .map(name -> "Nothing was found at node " + name + "." + unread(part));
    }

    private String pods(ClusterReport part) {
        return part.podsKnown() || !part.pods().isEmpty()
                ? VerdictGroup.headline(part.pods(), namespace)
                : "What the pods ask for is unknown.";
    }

    /** Kinds of which a cluster may have no object are told at the end only. */
    private static String unread(ClusterReport part) {
        List<String> kinds = part.unread();
        return kinds.isEmpty() ? "" : " Not everything could be read: " + FirstFive.of(kinds) + ".";
    }

    private boolean wants(PodVerdict it) {
        return node.isEmpty()
                && pod.filter(it.fullName()::equals).isPresent() == pod.isPresent()
                && namespace.filter(it.namespace()::equals).isPresent() == namespace.isPresent();
    }
}
