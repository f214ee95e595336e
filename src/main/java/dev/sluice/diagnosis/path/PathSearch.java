package dev.sluice.diagnosis.path;

import dev.sluice.diagnosis.facts.PodAsk;
import dev.sluice.diagnosis.node.GpuVendor;
import dev.sluice.diagnosis.node.NodeStudy;
import dev.sluice.diagnosis.node.NodeUse;
import dev.sluice.quantity.Amounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Finds, for every node with hardware of the vendor, every set of obstacles after whose removal a pod fits there, and
 * chooses among them (contract of the doctor, section 4). Used for many pods of one cluster.
 */
public final class PathSearch {

    private final List<NodeStudy> nodes;
    private final List<NodeStudy> repelling;

    public PathSearch(List<NodeStudy> nodes) {
        this.nodes = List.copyOf(nodes);
        repelling = nodes.stream()
                .filter(node -> node.use().bound().stream()
                        .anyMatch(pod -> !pod.ask().peers().apart().isEmpty()))
                .toList();
    }

    /**
     * What the search is for.
     *
     * @param place the nodes to look at, where the devices of its claims are somewhere already
     * @param nominated the node that the pod is nominated to, or empty
     * @param message the scheduler's newest message if it is fresh, else empty
     */
    public record Question(
            PodAsk ask, NodeUse.Asker asker, Predicate<NodeStudy> place, String message, String nominated) {
        Amounts gpus() {
            return GpuVendor.gpus(ask.requests());
        }
    }

    /** The best path, and those that are equal to it; empty where no node has any. */
    public Optional<ChosenPath> choose(Question question) {
        List<RepairPath> best = new ArrayList<>();
        for (RepairPath path : paths(question)) {
            int order = best.isEmpty() ? 0 : RepairPath.BEST_FIRST.compare(path, best.getFirst());
            if (order < 0) {
                best.clear();
            }
            if (order <= 0) {
                best.add(path);
            }
        }
        return best.isEmpty() ? Optional.empty() : Optional.of(chosen(question, best));
    }

    private List<RepairPath> paths(Question question) {
        NodeMismatches mismatches = new NodeMismatches(question.ask(), question.asker());
        GpuObstacles gpus = new GpuObstacles(question.gpus(), question.asker());
        PeerPlacement peers = new PeerPlacement(question.ask(), nodes, repelling);
        List<Obstacle> unseen = MessageReasons.unseen(question.message(), peersAreKnown(question.ask()));
        List<RepairPath> paths = new ArrayList<>();
        for (NodeStudy node : candidates(question)) {
            List<List<Obstacle>> ways = gpus.ways(node);
            if (!ways.isEmpty()) {
                List<Obstacle> others = new ArrayList<>(mismatches.on(node));
                peers.on(node).ifPresent(others::add);
                ways.forEach(way -> paths.add(path(node, way, others, unseen)));
            }
        }
        return paths;
    }

    private static RepairPath path(NodeStudy node, List<Obstacle> way, List<Obstacle> others, List<Obstacle> unseen) {
        List<Obstacle> all = new ArrayList<>(way);
        all.addAll(others);
        // What the message blames counts where nothing else is seen.
        return new RepairPath(node, all.isEmpty() ? unseen : all);
    }

    /** The message about peers loses to what could be evaluated in full. */
    private static boolean peersAreKnown(PodAsk ask) {
        return ask.peers().exact() && !ask.peers().isEmpty();
    }

    private List<NodeStudy> candidates(Question question) {
        List<GpuVendor> vendors = new ArrayList<>();
        question.gpus().forEach((resource, _) -> GpuVendor.of(resource).ifPresent(vendors::add));
        return nodes.stream()
                .filter(node -> vendors.stream().allMatch(node::has))
                .filter(question.place())
                .toList();
    }

    private ChosenPath chosen(Question question, List<RepairPath> best) {
        List<VerdictCode> codes = best.getFirst().codes();
        boolean used = codes.equals(List.of(VerdictCode.ALL_USED));
        Supply supply = codes.contains(VerdictCode.ALL_USED) ? supply(question, best) : Supply.NOT_ASKED;
        List<VerdictCode> named = used && supply.isEnough(question.gpus()) ? List.of(VerdictCode.FRAGMENTED) : codes;
        return new ChosenPath(named, best, supply);
    }

    /** Of the nodes that pass all the pod's constraints; of the chosen ones where no node passes them. */
    private Supply supply(Question question, List<RepairPath> best) {
        NodeMismatches mismatches = new NodeMismatches(question.ask(), question.asker());
        PeerPlacement peers = new PeerPlacement(question.ask(), nodes, repelling);
        List<NodeStudy> passed = candidates(question).stream()
                .filter(node -> mismatches.on(node).isEmpty())
                .filter(node -> peers.on(node).isEmpty())
                .toList();
        return Supply.of(
                passed.isEmpty()
                        ? best.stream().map(RepairPath::node).distinct().toList()
                        : passed,
                question.gpus(),
                question.asker());
    }

    /** Whether the labels of a pod matter to where it may run. */
    public boolean readsLabels(PodAsk ask) {
        return !repelling.isEmpty() || !ask.peers().isEmpty();
    }
}
