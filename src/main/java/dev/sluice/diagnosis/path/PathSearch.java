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
    private final GpuObstacles.KnownFaults faults = new GpuObstacles.KnownFaults();

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
        GpuObstacles gpus = new GpuObstacles(question.gpus(), question.asker(), faults);
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
        if (!codes.contains(VerdictCode.ALL_USED)) {
            return new ChosenPath(codes, best, Supply.NOT_ASKED);
        }
        Supply passed = of(passing(question), question);
        boolean fragmented = codes.size() == 1 && passed.isEnough(question.gpus());
        return fragmented
                ? new ChosenPath(List.of(VerdictCode.FRAGMENTED), best, passed)
                : new ChosenPath(codes, best, of(own(question, best), question));
    }

    private static Supply of(List<NodeStudy> nodes, Question question) {
        return Supply.of(nodes, question.gpus(), question.asker());
    }

    /**
     * The nodes that are the pod's own and offer what it asks for, whatever else they lack; the chosen ones where there
     * are none.
     */
    private List<NodeStudy> own(Question question, List<RepairPath> best) {
        NodeMismatches mismatches = new NodeMismatches(question.ask(), question.asker());
        List<NodeStudy> own = candidates(question).stream()
                .filter(node -> question.gpus().anyMatch((resource, _) -> node.allocatable(resource) > 0))
                .filter(node -> new RepairPath(node, mismatches.on(node)).isOwn())
                .toList();
        return own.isEmpty() ? best.stream().map(RepairPath::node).distinct().toList() : own;
    }

    /** The nodes that pass all the pod's constraints. */
    private List<NodeStudy> passing(Question question) {
        NodeMismatches mismatches = new NodeMismatches(question.ask(), question.asker());
        PeerPlacement peers = new PeerPlacement(question.ask(), nodes, repelling);
        return candidates(question).stream()
                .filter(node -> mismatches.on(node).isEmpty())
                .filter(node -> peers.on(node).isEmpty())
                .toList();
    }

    /** Whether the labels of a pod matter to where it may run. */
    public boolean readsLabels(PodAsk ask) {
        return !repelling.isEmpty() || !ask.peers().isEmpty();
    }
}
