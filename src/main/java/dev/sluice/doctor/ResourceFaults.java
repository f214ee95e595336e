package dev.sluice.doctor;

import dev.sluice.admission.verdict.DecisionCause;
import dev.sluice.admission.verdict.JudgedCandidate;
import dev.sluice.admission.verdict.Verdict;
import dev.sluice.cluster.GpuVendor;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.doctor.facts.ClusterFacts;
import dev.sluice.doctor.facts.FactKind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Explains why nodes do not offer a resource that they have or should have.
 *
 * @param byResource a sentence for each resource that some node has registered and does not offer in full
 * @param byVendor a sentence for each vendor with a node whose future resources are unknown; the sentence applies to
 *     every resource of the vendor
 */
public record ResourceFaults(Map<ResourceName, String> byResource, Map<GpuVendor, String> byVendor) {

    public static final ResourceFaults NONE = new ResourceFaults(Map.of(), Map.of());

    /** Lists the kinds other than nodes that explain the faults of nodes. */
    public static final Set<FactKind> BESIDE_NODES =
            Set.of(FactKind.PODS, FactKind.EVENTS, FactKind.DAEMON_SETS, FactKind.RESOURCE_SLICES);

    /**
     * Limits the length of a fault's text, in characters. A warning has 240 characters, and also contains the name of
     * the resource and the number of other nodes.
     */
    private static final int LONGEST = 150;

    public ResourceFaults {
        byResource = Map.copyOf(byResource);
        byVendor = Map.copyOf(byVendor);
    }

    /** Holds the text of the first node's fault, and the number of nodes that have a fault. */
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

    /** Returns the faults for pods that do not need to exist in the cluster, so all vendors are considered. */
    public static ResourceFaults of(ClusterFacts cluster) {
        return of(cluster, NodeStudy.forAllVendors(cluster));
    }

    public static ResourceFaults of(ClusterFacts cluster, List<NodeStudy> nodes) {
        Map<ResourceName, Fault> byResource = new HashMap<>();
        Map<GpuVendor, Fault> byVendor = new EnumMap<>(GpuVendor.class);
        for (NodeStudy node : nodes) {
            GpuVendor.gpus(node.facts().node().capacity()).forEach((resource, amount) -> {
                // The kubelet reports 0 in both capacity and allocatable if the plugin stopped and the kubelet was
                // restarted.
                if (node.allocatable(resource) < amount || amount == 0) {
                    first(cluster, node, resource, _ -> true)
                            .or(() -> replaced(node, resource))
                            .ifPresent(fault -> byResource.merge(resource, fault, Fault::and));
                }
            });
            for (GpuVendor vendor : GpuVendor.values()) {
                first(cluster, node, vendor.wholeGpu(), ResourceFaults::hidesWhatIsOffered)
                        .ifPresent(fault -> byVendor.merge(vendor, fault, Fault::and));
            }
        }
        return new ResourceFaults(sentences(byResource), sentences(byVendor));
    }

    private static Optional<Fault> first(
            ClusterFacts cluster, NodeStudy node, ResourceName resource, Predicate<FindingCode> choice) {
        return GpuVendor.of(resource).stream()
                .flatMap(vendor -> NodeFaults.about(node, resource, vendor).stream())
                .filter(choice)
                .findFirst()
                .map(code -> new Fault(FaultText.of(code, node, cluster), 1));
    }

    private static Optional<Fault> replaced(NodeStudy node, ResourceName resource) {
        return node.hardware().isEmpty() || Replacement.of(node, resource).isEmpty()
                ? Optional.empty()
                : Optional.of(new Fault(Replacement.sentence(node, resource), 1));
    }

    private static <K> Map<K, String> sentences(Map<K, Fault> faults) {
        return faults.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, fault -> fault.getValue().sentence()));
    }

    private static boolean hidesWhatIsOffered(FindingCode code) {
        return switch (code) {
            case MIG_CHANGE_FAILED, MIG_CHANGE_RUNNING, MIG_INVALID, MIG_WITHOUT_INSTANCES, PLUGIN_NOT_REGISTERED ->
                true;
            default -> false;
        };
    }

    /** Returns the explanation for the resource; empty if no node has a fault that reduces it. */
    public Optional<String> about(ResourceName resource) {
        return Optional.ofNullable(byResource.get(resource))
                .or(() -> GpuVendor.of(resource).map(byVendor::get));
    }

    /** Returns the explanations for the resources that the pod of this verdict requests and does not get. */
    public List<DecisionCause.KnownFault> lackedBy(Verdict verdict) {
        List<DecisionCause.KnownFault> known = new ArrayList<>();
        for (JudgedCandidate judged : verdict.candidates()) {
            if (judged.isLacked()) {
                about(judged.asked()).ifPresent(text -> known.add(new DecisionCause.KnownFault(judged.asked(), text)));
            }
        }
        return known;
    }
}
