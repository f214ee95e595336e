package dev.sluice.admission;

import dev.sluice.admission.DecisionExplanation.AlikeNodes;
import dev.sluice.admission.DecisionExplanation.HeldAmount;
import dev.sluice.admission.DecisionExplanation.Lack;
import dev.sluice.admission.DecisionExplanation.NodeAnswer;
import dev.sluice.admission.DecisionExplanation.NodeAnswer.InUse.Relief;
import dev.sluice.admission.DecisionExplanation.Shortage;
import dev.sluice.admission.request.PodRequest;
import dev.sluice.admission.request.Policy;
import dev.sluice.admission.verdict.VerdictTrace.Candidate;
import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.PodNodeMismatch;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Finds out for every node whether the pod fits there with a candidate resource. The rules are the same as in the
 * decision.
 */
record ExplanationNodeAnswers(
        PodRequest pod,
        Policy.Mode mode,
        Policy.PreemptionMode preemption,
        ClusterSnapshot cluster,
        ExplanationOccupancy occupancy) {

    private record AnswerKey(NodeAnswer answer, long allocatable, String deviceClass) {}

    private static final Comparator<AlikeNodes> BEST_FIRST = Comparator.comparingInt(
                    (AlikeNodes nodes) -> rank(nodes.answer()))
            .thenComparingInt(nodes -> missing(nodes.answer()))
            .thenComparing(Comparator.comparingLong(AlikeNodes::allocatable).reversed())
            .thenComparing(
                    Comparator.comparingLong(ExplanationNodeAnswers::free).reversed());

    private static final Comparator<HeldAmount> LARGEST_FIRST =
            Comparator.comparingLong(HeldAmount::amount).reversed().thenComparing(HeldAmount::pod);

    /** Returns the answers of all nodes. Nodes with the same answer form a group, and the best answers come first. */
    List<AlikeNodes> to(Candidate wanted) {
        Map<AnswerKey, List<String>> alike = new LinkedHashMap<>();
        for (Node node : cluster.nodesByName()) {
            AnswerKey key = new AnswerKey(
                    answer(node, wanted), node.allocatable().get(wanted.resource()), deviceClass(node, wanted));
            alike.computeIfAbsent(key, _ -> new ArrayList<>()).add(node.name());
        }
        return alike.entrySet().stream()
                .map(entry -> new AlikeNodes(
                        entry.getKey().answer(),
                        entry.getKey().allocatable(),
                        entry.getKey().deviceClass(),
                        entry.getValue()))
                .sorted(BEST_FIRST)
                .toList();
    }

    private String deviceClass(Node node, Candidate wanted) {
        return node.claims(wanted.resource())
                ? cluster.claimed().classOf(wanted.resource()).orElse("")
                : "";
    }

    private NodeAnswer answer(Node node, Candidate wanted) {
        long allocatable = node.allocatable().get(wanted.resource());
        long doubtful = node.byClaims().doubtful().get(wanted.resource());
        if (allocatable <= 0 && doubtful <= 0) {
            return new NodeAnswer.HasNone();
        }
        Optional<PodNodeMismatch> refusal = switch (mode) {
            case ALLOCATABLE -> pod.constraints().lastingRefusal(node);
            case AVAILABILITY -> pod.constraints().presentRefusal(node);
        };
        if (refusal.isPresent()) {
            return new NodeAnswer.NodeRefuses(refusal.get());
        }
        if (!node.byClaims().fitOneClaim(wanted.total())) {
            return new NodeAnswer.NodeRefuses(new PodNodeMismatch.TooManyForOneClaim());
        }
        if (allocatable < wanted.need()) {
            return Amounts.saturatedSum(allocatable, doubtful) < wanted.need()
                    ? new NodeAnswer.TooFew()
                    : new NodeAnswer.MayFit();
        }
        return switch (mode) {
            case ALLOCATABLE -> new NodeAnswer.Fits(OptionalLong.empty());
            case AVAILABILITY -> byRoom(node, wanted);
        };
    }

    private NodeAnswer byRoom(Node node, Candidate wanted) {
        NodeConstraints here = NodeConstraints.onNode(node.name());
        if (node.claims(wanted.resource())
                && !occupancy.free().isFree(wanted.total(), here)
                && occupancy.free().mayBeFree(wanted.total(), here)) {
            return new NodeAnswer.MayFit();
        }
        Amounts need = wanted.total().only(name -> counts(node, name));
        List<Lack> lacks = lacks(node, need);
        if (!lacks.isEmpty()) {
            return new NodeAnswer.TooSmall(lacks);
        }
        List<Shortage> shortages = shortages(node, need);
        return shortages.isEmpty()
                ? new NodeAnswer.Fits(
                        OptionalLong.of(occupancy.available(node.name()).get(wanted.resource())))
                : new NodeAnswer.InUse(shortages, holders(node, wanted.resource()), relief(node, wanted));
    }

    private Relief relief(Node node, Candidate wanted) {
        boolean preempts = preemption == Policy.PreemptionMode.COUNT
                && pod.constraints().nodeName() == null
                && occupancy.free().isPreemptible(wanted.total(), NodeConstraints.onNode(node.name()), pod.priority());
        return preempts ? Relief.PREEMPTION : Relief.WAITING;
    }

    /**
     * Returns true if the node must have enough of this resource for the pod. Returns false only for the resource
     * {@code pods} on a node that does not report it: the number of pods on such a node is not limited.
     */
    private static boolean counts(Node node, ResourceName name) {
        return !name.equals(ResourceName.PODS) || node.allocatable().has(ResourceName.PODS);
    }

    private static List<Lack> lacks(Node node, Amounts need) {
        List<Lack> lacks = new ArrayList<>();
        need.forEach((name, needed) -> {
            long allocatable = node.allocatable().get(name);
            if (needed > 0 && allocatable < needed) {
                lacks.add(new Lack(name, Math.max(0, allocatable), needed));
            }
        });
        return lacks;
    }

    private List<Shortage> shortages(Node node, Amounts need) {
        Amounts available = occupancy.available(node.name());
        List<Shortage> shortages = new ArrayList<>();
        need.forEach((name, needed) -> {
            if (needed > 0 && available.get(name) < needed) {
                long free = Math.max(0, available.get(name));
                shortages.add(new Shortage(name, free, node.allocatable().get(name), needed, holders(node, name)));
            }
        });
        return shortages;
    }

    private List<HeldAmount> holders(Node node, ResourceName resource) {
        return occupancy.occupants(node.name()).stream()
                .map(occupant -> new HeldAmount(
                        occupant.pod(), occupant.state(), occupant.requests().get(resource)))
                .filter(holding -> holding.amount() > 0)
                .sorted(LARGEST_FIRST)
                .toList();
    }

    private static int rank(NodeAnswer answer) {
        return switch (answer) {
            case NodeAnswer.Fits _ -> 0;
            case NodeAnswer.MayFit _ -> 1;
            case NodeAnswer.InUse _ -> 2;
            case NodeAnswer.TooSmall _ -> 3;
            case NodeAnswer.TooFew _ -> 4;
            case NodeAnswer.NodeRefuses _ -> 5;
            case NodeAnswer.HasNone _ -> 6;
        };
    }

    /**
     * Returns the free amount of the candidate resource on each of these nodes. Returns 0 if the pod does not fit
     * there, or if the amount is unknown.
     */
    private static long free(AlikeNodes nodes) {
        return nodes.answer() instanceof NodeAnswer.Fits(OptionalLong free) ? free.orElse(0) : 0;
    }

    /** Returns how many resources are short on the nodes. Nodes are sorted by this number, the smallest first. */
    private static int missing(NodeAnswer answer) {
        return switch (answer) {
            case NodeAnswer.InUse inUse -> inUse.shortages().size();
            case NodeAnswer.TooSmall small -> small.lacks().size();
            case NodeAnswer.Fits _,
                    NodeAnswer.MayFit _,
                    NodeAnswer.TooFew _,
                    NodeAnswer.NodeRefuses _,
                    NodeAnswer.HasNone _ -> 0;
        };
    }
}
