package dev.sluice.doctor;

import dev.sluice.doctor.NodeFindings.Finding;
import dev.sluice.doctor.facts.ClusterFacts.UnreadObject;
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
}
