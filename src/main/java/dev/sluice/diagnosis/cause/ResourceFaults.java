package dev.sluice.diagnosis.cause;

import dev.sluice.diagnosis.facts.ClusterFacts;
import dev.sluice.diagnosis.node.FaultText;
import dev.sluice.diagnosis.node.FindingCode;
import dev.sluice.diagnosis.node.GpuVendor;
import dev.sluice.diagnosis.node.NodeFaults;
import dev.sluice.diagnosis.node.NodeStudy;
import dev.sluice.mig.MigProfile;
import dev.sluice.quantity.ResourceName;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What is known of why nodes do not offer a resource that they have, or that they were meant to have.
 *
 * @param byResource a sentence for each resource that a node has in its capacity and does not offer in full
 * @param ofSlices a sentence that holds for every MIG resource: of some node it is not known which slices it will have
 */
public record ResourceFaults(Map<ResourceName, String> byResource, Optional<String> ofSlices) {

    public static final ResourceFaults NONE = new ResourceFaults(Map.of(), Optional.empty());

    /** A warning has 240 characters, which the name of the resource and the number of other nodes share. */
    private static final int LONGEST = 150;

    public ResourceFaults {
        byResource = Map.copyOf(byResource);
    }

    /** The first fault in the order of the nodes, and how many nodes have one. */
    private record Fault(String text, int nodes) {

        private Fault and(Fault other) {
            return new Fault(text, nodes + other.nodes);
        }

        private String sentence() {
            String first = text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
            String shortened = first.length() > LONGEST ? first.substring(0, LONGEST) + "..." : first;
            int others = nodes - 1;
            return shortened
                    + switch (others) {
                        case 0 -> "";
                        case 1 -> "; another node has a fault, too";
                        default -> "; " + others + " more nodes have a fault, too";
                    };
        }
    }

    public static ResourceFaults of(ClusterFacts cluster, List<NodeStudy> nodes) {
        Map<ResourceName, Fault> byResource = new HashMap<>();
        Optional<Fault> ofSlices = Optional.empty();
        for (NodeStudy node : nodes) {
            Optional<FindingCode> code = NodeFaults.first(node);
            if (code.isPresent()) {
                Fault fault = new Fault(FaultText.of(code.get(), node, cluster), 1);
                for (ResourceName resource : notInFull(node)) {
                    var _ = byResource.merge(resource, fault, Fault::and);
                }
                if (hidesSlices(code.get())) {
                    ofSlices =
                            Optional.of(ofSlices.map(known -> known.and(fault)).orElse(fault));
                }
            }
        }
        Map<ResourceName, String> sentences = new HashMap<>();
        byResource.forEach((resource, fault) -> sentences.put(resource, fault.sentence()));
        return new ResourceFaults(sentences, ofSlices.map(Fault::sentence));
    }

    private static Set<ResourceName> notInFull(NodeStudy node) {
        Set<ResourceName> missing = new HashSet<>();
        GpuVendor.gpus(node.facts().node().capacity()).forEach((resource, amount) -> {
            if (node.allocatable(resource) < amount) {
                missing.add(resource);
            }
        });
        return missing;
    }

    private static boolean hidesSlices(FindingCode code) {
        return switch (code) {
            case MIG_CHANGE_FAILED, MIG_CHANGE_RUNNING, MIG_INVALID, MIG_WITHOUT_INSTANCES, PLUGIN_NOT_REGISTERED ->
                true;
            default -> false;
        };
    }

    /** What is known of this resource; empty if no node has a fault that hides it. */
    public Optional<String> about(ResourceName resource) {
        String known = byResource.get(resource);
        if (known != null) {
            return Optional.of(known);
        }
        return MigProfile.ofResource(resource).isPresent() ? ofSlices : Optional.empty();
    }
}
