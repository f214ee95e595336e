package dev.sluice.doctor;

import dev.sluice.doctor.NodeFindings.Finding;
import dev.sluice.doctor.facts.ClusterFacts.UnreadObject;
import dev.sluice.doctor.facts.FactKind;
import java.util.List;

/**
 * All that a diagnosis says.
 *
 * @param pods sorted by namespace and name
 * @param nodes those with a finding, sorted by name
 * @param faults what is known of resources that nodes do not offer in full
 * @param unchecked kinds that were not collected and objects that could not be read, each with the consequence
 * @param podsKnown false where pods were not collected, so that there are only owners
 */
public record ClusterReport(
        List<PodVerdict> pods,
        List<NodeReport> nodes,
        ResourceFaults faults,
        List<UnreadObject> unchecked,
        boolean podsKnown) {

    /** Of a node, in the order of the codes. */
    public record NodeReport(String name, List<Finding> findings) {}

    /** The kinds that could not be read in full, sorted; those of which nothing was found are no failure. */
    public List<String> unread() {
        return unchecked.stream()
                .filter(it -> !it.why().startsWith(UnreadObject.NOT_SERVED))
                .filter(it -> !it.why().startsWith(UnreadObject.NOT_COLLECTED) || isNeeded(it.plural()))
                .map(UnreadObject::plural)
                .distinct()
                .sorted()
                .toList();
    }

    /** A cluster without nodes or pods is none. */
    private static boolean isNeeded(String plural) {
        return plural.equals(FactKind.NODES.plural()) || plural.equals(FactKind.PODS.plural());
    }

    /** True if some node cannot do what it is there for. */
    public boolean hasFault() {
        return nodes.stream()
                .flatMap(node -> node.findings().stream())
                .anyMatch(finding -> finding.code().isFault());
    }

    /** True if somebody has to look: at a fault, at a pod that waits in vain, or at what could not be judged. */
    public boolean needsAttention() {
        return hasFault() || VerdictGroup.lasting(pods) > 0 || VerdictGroup.unknown(pods) > 0 || !unread().isEmpty();
    }
}
