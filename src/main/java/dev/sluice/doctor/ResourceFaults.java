package dev.sluice.doctor;

import dev.sluice.admission.request.GpuRequest;
import dev.sluice.admission.request.PodRequest;
import dev.sluice.admission.verdict.CandidateVerdict;
import dev.sluice.admission.verdict.DecisionCause;
import dev.sluice.admission.verdict.Verdict;
import dev.sluice.cluster.GpuVendor;
import dev.sluice.cluster.MigProfile;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.PodNodeMismatch;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.doctor.facts.ClusterFactKind;
import dev.sluice.doctor.facts.ClusterFacts;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Explains why nodes do not offer a resource that they have or should have.
 *
 * @param faults the faults that reduce or hide what nodes offer, sorted by the names of the nodes
 * @param idlePlugins maps a vendor whose hardware no node shows to a sentence about why the DaemonSet of its device
 *     plugin has no pod
 * @param models the MIG profiles that the GPUs of the cluster can have; empty if the nodes were not read
 */
public record ResourceFaults(
        List<HiddenSupply> faults, Map<GpuVendor, String> idlePlugins, Optional<DiagnosedMigModels> models) {

    public static final ResourceFaults NONE = new ResourceFaults(List.of(), Map.of(), Optional.empty());

    /** The kinds of objects that are read in addition to nodes to explain the faults of nodes. */
    public static final Set<ClusterFactKind> BESIDE_NODES = Set.of(
            ClusterFactKind.PODS,
            ClusterFactKind.EVENTS,
            ClusterFactKind.DAEMON_SETS,
            ClusterFactKind.DEVICE_CLASSES,
            ClusterFactKind.RESOURCE_SLICES,
            ClusterFactKind.RESOURCE_CLAIMS);

    /**
     * Limits the length of a fault's text in a warning, in characters. A warning may have 240 characters, and also
     * contains the name of the resource and the number of other faulty nodes.
     */
    private static final int LONGEST = 150;

    /**
     * Limits the length of a fault's text outside of warnings, in characters. The text can quote labels of any length.
     */
    private static final int LONGEST_IN_FULL = 2000;

    /** Limits the number of faulty nodes that are checked for one pod, because the check runs on an event loop. */
    private static final int MOST_LOOKED_AT = 200;

    public ResourceFaults {
        faults = List.copyOf(faults);
        idlePlugins = Map.copyOf(idlePlugins);
    }

    /** Returns true if no node has a fault and no device plugin is idle. */
    public boolean isEmpty() {
        return faults.isEmpty() && idlePlugins.isEmpty();
    }

    /**
     * Holds a fault of a node that reduces or hides what the node offers.
     *
     * @param code the fault; empty if other resources have replaced the resource {@code only}
     * @param only the resource that the fault reduces or hides; empty if it concerns all resources that the repair
     *     would add
     */
    record HiddenSupply(DiagnosedNode node, Optional<FindingCode> code, Optional<ResourceName> only, String text) {

        /** Returns true if the repair of the fault could provide this amount to a pod with these constraints. */
        private boolean couldGive(ResourceName resource, long amount, NodeConstraints constraints) {
            return (only.isPresent() ? only.get().equals(resource) : hides(resource))
                    && code.map(fault -> brings(fault, resource, amount)).orElse(true)
                    && mayUse(constraints);
        }

        /** Returns true if a pod with these constraints may run on the node once the fault is repaired. */
        private boolean mayUse(NodeConstraints constraints) {
            Node offering = node.facts().node();
            return constraints.lastingRefusal(offering).isEmpty()
                    || (code.isPresent()
                            && constraints.nodeName() == null
                            && !constraints.isRefused(offering, refusal -> lasts(refusal, code.get(), constraints)));
        }

        private boolean lasts(PodNodeMismatch refusal, FindingCode fault, NodeConstraints constraints) {
            return switch (refusal) {
                case PodNodeMismatch.Cordoned() -> false;
                case PodNodeMismatch.Untolerated(var taint) -> !taint.isTemporary();
                default -> !RepairedLabels.end(refusal, fault, node, constraints);
            };
        }

        private boolean hides(ResourceName resource) {
            return code.isPresent()
                    && GpuVendor.of(resource)
                            .filter(vendor ->
                                    NodeFaults.about(node, resource, vendor).contains(code.get()))
                            .isPresent();
        }

        private boolean brings(FindingCode fault, ResourceName resource, long amount) {
            boolean anyProfile =
                    node.product().isUnknown() || node.label(NodeFaults.WANTED).isEmpty();
            return DiagnosedRepairSupply.after(fault, node, resource) >= amount
                    || (anyProfile
                            && MigProfile.ofResource(resource)
                                    .filter(node.product()::canHave)
                                    .isPresent());
        }
    }

    /**
     * Returns the faults of the nodes for the GPUs of all vendors, even if no pod in the cluster requests them. A pod
     * whose requests are explained may not exist in the cluster yet.
     */
    public static ResourceFaults of(ClusterFacts cluster) {
        return of(cluster, DiagnosedNode.forAllVendors(cluster));
    }

    public static ResourceFaults of(ClusterFacts cluster, List<DiagnosedNode> nodes) {
        List<HiddenSupply> faults = new ArrayList<>();
        for (DiagnosedNode study : nodes) {
            DiagnosedNode node = study.withoutUse();
            GpuVendor.gpus(node.facts().node().capacity()).forEach((resource, amount) -> {
                // If the plugin has stopped and the kubelet was restarted, the kubelet reports 0 in both capacity and
                // allocatable.
                if (node.allocatable(resource) < amount || amount == 0) {
                    ofResource(cluster, node, resource).forEach(faults::add);
                }
            });
            NodeFaults.first(node)
                    .filter(ResourceFaults::hidesWhatIsOffered)
                    .ifPresent(code -> faults.add(new HiddenSupply(
                            node,
                            Optional.of(code),
                            Optional.empty(),
                            DiagnosedNodeFaultText.of(code, node, cluster))));
        }
        return new ResourceFaults(faults, idlePlugins(cluster, nodes), Optional.of(DiagnosedMigModels.of(nodes)));
    }

    private static Stream<HiddenSupply> ofResource(ClusterFacts cluster, DiagnosedNode node, ResourceName resource) {
        Optional<FindingCode> code = GpuVendor.of(resource).stream()
                .flatMap(vendor -> NodeFaults.about(node, resource, vendor).stream())
                .findFirst();
        if (code.isPresent()) {
            return hidesWhatIsOffered(code.get())
                    ? Stream.empty()
                    : Stream.of(new HiddenSupply(
                            node, code, Optional.of(resource), DiagnosedNodeFaultText.of(code.get(), node, cluster)));
        }
        return node.hardware().isEmpty()
                        || (ReplacedResourceRule.of(node, resource).isEmpty()
                                && !ReplacedResourceRule.isRenamed(node, resource))
                ? Stream.empty()
                : Stream.of(new HiddenSupply(
                        node, Optional.empty(), Optional.of(resource), ReplacedResourceRule.sentence(node, resource)));
    }

    private static Map<GpuVendor, String> idlePlugins(ClusterFacts cluster, List<DiagnosedNode> nodes) {
        Map<GpuVendor, String> idle = new EnumMap<>(GpuVendor.class);
        for (GpuVendor vendor : GpuVendor.values()) {
            if (nodes.stream().noneMatch(node -> node.has(vendor))) {
                DiagnosedNodeFaultText.idleSets(vendor, cluster).stream()
                        .findFirst()
                        .ifPresent(set -> idle.put(vendor, DiagnosedNodeFaultText.idle(set, nodes, cluster)));
            }
        }
        return idle;
    }

    private static boolean hidesWhatIsOffered(FindingCode code) {
        return switch (code) {
            case MIG_CHANGE_FAILED, MIG_CHANGE_RUNNING, MIG_INVALID, MIG_WITHOUT_INSTANCES, PLUGIN_NOT_REGISTERED ->
                true;
            default -> false;
        };
    }

    /** Returns a text about why no device of the resource is available; empty if no fault of a node explains it. */
    Optional<String> about(ResourceName resource) {
        return about(resource, 1, NodeConstraints.NONE);
    }

    /**
     * Returns a text about why this amount of the resource is not available to a pod with these constraints; empty if
     * there is no explanation. Considers only nodes that could offer the amount to the pod if they had no fault.
     */
    Optional<String> about(ResourceName resource, long amount, NodeConstraints constraints) {
        return about(resource, amount, constraints, LONGEST);
    }

    private Optional<String> about(ResourceName resource, long amount, NodeConstraints constraints, int longest) {
        List<HiddenSupply> own = new ArrayList<>(0);
        for (HiddenSupply fault : faults.subList(0, Math.min(faults.size(), MOST_LOOKED_AT))) {
            if (fault.couldGive(resource, amount, constraints)) {
                own.add(fault);
            }
        }
        return own.isEmpty()
                ? GpuVendor.of(resource)
                        .map(idlePlugins::get)
                        .or(() -> models.flatMap(known -> known.impossible(resource)))
                        .map(text -> shortened(text, longest))
                : Optional.of(shortened(own.getFirst().text(), longest) + others(own.size() - 1));
    }

    private static String others(int others) {
        return switch (others) {
            case 0 -> "";
            case 1 -> "; another node has a fault, too";
            default -> "; " + others + " more nodes have a fault, too";
        };
    }

    private static String shortened(String text, int longest) {
        String first = text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
        return first.length() > longest ? first.substring(0, longest) + "..." : first;
    }

    /**
     * Returns the faults that explain why the pod does not get all resources that it requests. The texts are short
     * enough for warnings.
     */
    public List<DecisionCause.KnownFault> lackedBy(Verdict verdict, PodRequest pod) {
        return lacked(verdict, pod, LONGEST);
    }

    /** Returns the same faults as {@link #lackedBy}, with texts of up to 2,000 characters. */
    public List<DecisionCause.KnownFault> lackedInFull(Verdict verdict, PodRequest pod) {
        return lacked(verdict, pod, LONGEST_IN_FULL);
    }

    private List<DecisionCause.KnownFault> lacked(Verdict verdict, PodRequest pod, int longest) {
        List<DecisionCause.KnownFault> known = new ArrayList<>();
        for (CandidateVerdict judged : verdict.candidates()) {
            if (judged.isLacked()) {
                String name = judged.asked().value();
                NodeConstraints constraints = pod.constraints().tolerating(name, name);
                long amount = GpuRequest.of(pod, judged.asked()::equals).needOf(judged.asked(), judged.asked());
                about(judged.asked(), amount, constraints, longest)
                        .ifPresent(text -> known.add(new DecisionCause.KnownFault(judged.asked(), text)));
            }
        }
        return known;
    }
}
