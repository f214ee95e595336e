package dev.sluice.doctor;

import dev.sluice.text.FirstFiveNames;
import java.util.List;
import java.util.Optional;

/**
 * Selects a part of a report.
 *
 * @param pod the only pod to show, as {@code namespace/name}; if it is present, no nodes are shown
 * @param node the only node to show; if it is present, no pods are shown
 * @param namespace the only namespace whose pods are shown
 */
public record DiagnosisFilter(Optional<String> pod, Optional<String> node, Optional<String> namespace) {

    /**
     * Returns the selected part. Kinds and objects that could not be checked are always kept, because they can concern
     * any part.
     */
    public ClusterDiagnosis of(ClusterDiagnosis report) {
        return new ClusterDiagnosis(
                report.pods().stream().filter(this::wants).toList(),
                report.nodes().stream()
                        .filter(it ->
                                pod.isEmpty() && node.filter(it.name()::equals).isPresent() == node.isPresent())
                        .toList(),
                report.faults(),
                report.unchecked(),
                report.podsKnown());
    }

    /**
     * Returns a summary sentence about a part that {@link #of} returned. Returns empty for a single node with findings,
     * because the findings themselves are shown.
     */
    public Optional<String> headline(ClusterDiagnosis part) {
        return node.isEmpty()
                ? Optional.of(pods(part) + unread(part))
                : node.filter(_ -> part.nodes().isEmpty())
                        .map(name -> "Nothing was found at node " + name + "." + unread(part));
    }

    private String pods(ClusterDiagnosis part) {
        return part.podsKnown() || !part.pods().isEmpty()
                ? DiagnosisGroup.headline(part.pods(), namespace)
                : "What the pods ask for is unknown.";
    }

    /**
     * Returns a sentence about kinds that could not be read. Kinds that a cluster may lack are left out; they appear
     * only at the end of the report.
     */
    private static String unread(ClusterDiagnosis part) {
        List<String> kinds = part.countedUnread();
        return kinds.isEmpty() ? "" : " Not everything could be read: " + FirstFiveNames.of(kinds) + ".";
    }

    private boolean wants(PodDiagnosis it) {
        return node.isEmpty()
                && pod.filter(it.fullName()::equals).isPresent() == pod.isPresent()
                && namespace.filter(it.namespace()::equals).isPresent() == namespace.isPresent();
    }
}
