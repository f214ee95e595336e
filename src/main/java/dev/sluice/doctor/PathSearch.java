package dev.sluice.doctor;

import dev.sluice.cluster.GpuVendor;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.doctor.facts.Peers.PeerTerm;
import dev.sluice.doctor.facts.PodGpuDemand;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.function.Predicate;

/**
 * Finds, for every node with hardware of the vendor, every set of obstacles after whose removal a pod fits there, and
 * chooses among them (contract of the doctor, section 4). Used for many pods of one cluster.
 */
final class PathSearch {

    private final NodeTable nodes;
    private final PeerPlacement.Repulsion repulsion;

    public PathSearch(List<NodeStudy> nodes) {
        this.nodes = new NodeTable(nodes);
        repulsion = new PeerPlacement.Repulsion(nodes);
    }

    /**
     * What the search is for.
     *
     * @param place the nodes to look at, where the devices of its claims are somewhere already
     * @param unseen what the scheduler's newest message says beside what can be checked, if it is fresh
     * @param nominated the node that the pod is nominated to, or empty
     */
    public record Question(
            PodGpuDemand ask,
            NodeUse.Asker asker,
            Predicate<NodeStudy> place,
            List<Obstacle> unseen,
            String nominated) {
        Amounts gpus() {
            return GpuVendor.gpus(ask.requests());
        }
    }

    /**
     * What of the namespace and the labels of a pod matters to where it may run.
     *
     * @param ownMatches which of its own peer terms and spread constraints it matches itself
     * @param repelledBy the terms of other pods that keep it away from them
     */
    public record PeerIdentity(String namespace, List<Boolean> ownMatches, Set<PeerTerm> repelledBy) {}

    /** What the message says that cannot be evaluated here. */
    public List<Obstacle> unseen(String message, PodGpuDemand ask) {
        return MessageReasons.unseen(message, ask.peers(), repulsion.isExact());
    }

    public PeerIdentity identity(PodGpuDemand ask) {
        return PeerPlacement.identity(ask, repulsion);
    }

    /**
     * The path whose obstacles a pod waits for.
     *
     * @param codes distinct, in upstream order; empty where nothing is in the way
     * @param equal the paths that are equal to it, on nodes sorted by name; never empty
     * @param supply what the nodes that could hold the pod have, where it is in use
     */
    public record ChosenPath(List<VerdictCode> codes, List<RepairPath> equal, Supply supply) {

        /** The sub-reasons of all equal paths, sorted. */
        public List<String> reasons() {
            TreeSet<String> words = new TreeSet<>();
            for (RepairPath path : equal) {
                for (Obstacle obstacle : path.obstacles()) {
                    if (obstacle instanceof Obstacle.Mismatch mismatch) {
                        words.add(mismatch.reason().word());
                    }
                }
            }
            return List.copyOf(words);
        }
    }

    /** The best path, and those that are equal to it; empty where no node has any. */
    public Optional<ChosenPath> choose(Question question) {
        return new OneSearch(question).choose();
    }

    /** A way at a node, before its texts are known. */
    private record Sketch(int node, List<Obstacle> way) {}

    /** The search for one pod. Only the paths that it chooses become texts. */
    private final class OneSearch {

        private static final int UNKNOWN = -1;

        private final Question question;
        private final GpuObstacles gpus;
        private final NodeMismatches mismatches;
        private final PeerPlacement peers;
        private final int unseen;
        private final int[] candidates;
        /** By the place among the candidates. */
        private final int[] known;

        OneSearch(Question question) {
            this.question = question;
            gpus = new GpuObstacles(question.gpus(), question.asker(), nodes);
            mismatches = new NodeMismatches(question.ask(), question.asker(), nodes);
            peers = new PeerPlacement(question.ask(), nodes.nodes(), repulsion);
            unseen = bits(question.unseen());
            Set<GpuVendor> vendors = EnumSet.noneOf(GpuVendor.class);
            question.gpus().forEach((resource, _) -> GpuVendor.of(resource).ifPresent(vendors::add));
            candidates = only(nodes.with(vendors), node -> question.place().test(nodes.node(node)));
            known = new int[candidates.length];
            Arrays.fill(known, UNKNOWN);
        }

        private static int bits(List<Obstacle> obstacles) {
            int bits = 0;
            for (Obstacle obstacle : obstacles) {
                bits |= obstacle instanceof Obstacle.Mismatch mismatch
                        ? mismatch.reason().bit()
                        : 0;
            }
            return bits;
        }

        private static int[] only(int[] places, IntPredicate wanted) {
            return Arrays.stream(places).filter(wanted).toArray();
        }

        private int reasons(int candidate) {
            if (known[candidate] == UNKNOWN) {
                int node = candidates[candidate];
                known[candidate] = mismatches.reasons(node)
                        | (peers.on(nodes.node(node)).isPresent() ? MismatchReason.POD_AFFINITY.bit() : 0);
            }
            return known[candidate];
        }

        Optional<ChosenPath> choose() {
            List<Sketch> best = new ArrayList<>();
            long least = Long.MAX_VALUE;
            for (int candidate = 0; candidate < candidates.length; candidate++) {
                for (List<Obstacle> way : gpus.ways(candidates[candidate])) {
                    long rank = rank(way, reasons(candidate));
                    if (rank < least) {
                        best.clear();
                        least = rank;
                    }
                    if (rank == least) {
                        best.add(new Sketch(candidates[candidate], way));
                    }
                }
            }
            return best.isEmpty() ? Optional.empty() : Optional.of(chosen(best));
        }

        /** The reasons in the scheduler's message count only if no other obstacle is seen. */
        private long rank(List<Obstacle> way, int reasons) {
            return RepairPath.rank(way, way.isEmpty() && reasons == 0 ? unseen : reasons);
        }

        private RepairPath path(Sketch sketch) {
            NodeStudy node = nodes.node(sketch.node());
            List<Obstacle> all = new ArrayList<>(sketch.way());
            all.addAll(mismatches.on(sketch.node()));
            peers.on(node).ifPresent(all::add);
            return new RepairPath(node, all.isEmpty() ? question.unseen() : all);
        }

        private ChosenPath chosen(List<Sketch> sketches) {
            List<RepairPath> best = sketches.stream().map(this::path).toList();
            List<VerdictCode> codes = best.getFirst().codes();
            if (!codes.contains(VerdictCode.ALL_USED)) {
                return new ChosenPath(codes, best, Supply.NOT_ASKED);
            }
            Supply passed = supply(where(this::passes));
            boolean fragmented = codes.size() == 1 && passed.isEnough(question.gpus());
            return fragmented
                    ? new ChosenPath(List.of(VerdictCode.FRAGMENTED), best, passed)
                    : new ChosenPath(codes, best, supply(holding(sketches)));
        }

        /**
         * True if the node has no mismatch. Reasons that only the scheduler's message gives are taken to exclude the
         * nodes that have enough free.
         */
        private boolean passes(int candidate) {
            return reasons(candidate) == 0
                    && (unseen == 0 || !gpus.ways(candidates[candidate]).contains(List.<Obstacle>of()));
        }

        private Supply supply(int[] places) {
            return Supply.of(nodes, places, question.gpus(), question.asker());
        }

        /**
         * The nodes that are meant for the pod and could hold it, with what they offer now or by the repair on a chosen
         * path; the nodes of the chosen paths, where no node that is meant for the pod is full.
         */
        private int[] holding(List<Sketch> best) {
            int[] chosen = best.stream().mapToInt(Sketch::node).distinct().toArray();
            int[] own = where(candidate -> !MismatchReason.areForeign(reasons(candidate))
                    && (gpus.couldHold(candidates[candidate])
                            || Arrays.binarySearch(chosen, candidates[candidate]) >= 0));
            return Arrays.stream(own).anyMatch(gpus::devicesAreInUse) ? own : chosen;
        }

        private int[] where(IntPredicate wanted) {
            int[] found = new int[candidates.length];
            int count = 0;
            for (int candidate = 0; candidate < candidates.length; candidate++) {
                if (wanted.test(candidate)) {
                    found[count++] = candidates[candidate];
                }
            }
            return Arrays.copyOf(found, count);
        }
    }
}
