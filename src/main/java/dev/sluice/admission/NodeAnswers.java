package dev.sluice.admission;

import dev.sluice.admission.Explanation.Answer;
import dev.sluice.admission.Explanation.Nodes;
import dev.sluice.admission.Explanation.Shortage;
import dev.sluice.cluster.Amounts;
import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.NodeRefusal;
import dev.sluice.cluster.ResourceName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Asks every node about a candidate, by the questions that the decision asks. */
record NodeAnswers(PodRequest pod, Policy.Mode mode, ClusterSnapshot cluster, Occupancy occupancy) {

    /**
     * What is asked.
     *
     * @param need how much of {@code given}, whatever else the pod asks
     * @param whole all that the pod takes of its node with it
     */
    record Wanted(ResourceName given, long need, Amounts whole) {}

    private record Key(Answer answer, long allocatable) {}

    private static final Comparator<Nodes> BEST_FIRST = Comparator.comparingInt((Nodes nodes) -> rank(nodes.answer()))
            .thenComparingInt(nodes -> missing(nodes.answer()))
            .thenComparing(Comparator.comparingLong(Nodes::allocatable).reversed());

    /** Nodes that answer alike together, the best answers first. */
    List<Nodes> to(Wanted wanted) {
        Map<Key, List<String>> alike = new LinkedHashMap<>();
        for (Node node : cluster.nodesByName()) {
            Key key = new Key(answer(node, wanted), node.allocatable().get(wanted.given()));
            alike.computeIfAbsent(key, _ -> new ArrayList<>()).add(node.name());
        }
        return alike.entrySet().stream()
                .map(entry -> new Nodes(entry.getKey().answer(), entry.getKey().allocatable(), entry.getValue()))
                .sorted(BEST_FIRST)
                .toList();
    }

    private Answer answer(Node node, Wanted wanted) {
        long allocatable = node.allocatable().get(wanted.given());
        if (allocatable <= 0) {
            return new Answer.None();
        }
        Optional<NodeRefusal> refusal = switch (mode) {
            case ALLOCATABLE -> pod.constraints().lastingRefusal(node);
            case AVAILABILITY -> pod.constraints().presentRefusal(node);
        };
        if (refusal.isPresent()) {
            return new Answer.Refused(refusal.get());
        }
        if (allocatable < wanted.need()) {
            return new Answer.TooFew();
        }
        return switch (mode) {
            case ALLOCATABLE -> new Answer.Fits();
            case AVAILABILITY -> byRoom(node, wanted);
        };
    }

    private Answer byRoom(Node node, Wanted wanted) {
        Amounts available = occupancy.available(node.name());
        List<Shortage> shortages = new ArrayList<>();
        wanted.whole().forEach((name, needed) -> {
            boolean counts =
                    !name.equals(ResourceName.PODS) || node.allocatable().has(ResourceName.PODS);
            if (counts && needed > 0 && available.get(name) < needed) {
                shortages.add(new Shortage(
                        name,
                        Math.max(0, available.get(name)),
                        node.allocatable().get(name),
                        needed));
            }
        });
        return shortages.isEmpty() ? new Answer.Fits() : new Answer.InUse(shortages, holding(node, wanted.given()));
    }

    private List<Occupancy.Occupant> holding(Node node, ResourceName given) {
        return occupancy.occupants(node.name()).stream()
                .filter(occupant -> occupant.requests().get(given) > 0)
                .map(occupant -> new Occupancy.Occupant(
                        occupant.pod(), occupant.state(), occupant.requests().only(given::equals)))
                .toList();
    }

    private static int rank(Answer answer) {
        return switch (answer) {
            case Answer.Fits _ -> 0;
            case Answer.InUse _ -> 1;
            case Answer.TooFew _ -> 2;
            case Answer.Refused _ -> 3;
            case Answer.None _ -> 4;
        };
    }

    /** The nearest miss first. */
    private static int missing(Answer answer) {
        return answer instanceof Answer.InUse inUse ? inUse.shortages().size() : 0;
    }
}
