package dev.sluice.doctor;

import dev.sluice.cluster.GpuVendor;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.doctor.facts.PodAffinityFacts.PeerTerm;
import dev.sluice.doctor.facts.PodDemandFacts;
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
 * Finds out which obstacles have to be removed before a pod fits a node. A path is a set of obstacles on one node whose
 * removal would be enough. Only nodes with hardware of the requested vendor have paths. Chooses the path whose
 * obstacles are easiest to remove. One instance serves many pods of one cluster.
 */
final class DiagnosedRepairSearch {

    private final DiagnosedNodeTable nodes;
    private final DiagnosedPodAffinity.Repulsion repulsion;

    public DiagnosedRepairSearch(List<DiagnosedNode> nodes) {
        this.nodes = new DiagnosedNodeTable(nodes);
        repulsion = new DiagnosedPodAffinity.Repulsion(nodes);
    }

    /**
     * Holds the input of a search for one pod.
     *
     * @param place a predicate for the nodes where the devices of the pod's allocated claims can be used
     * @param unseen the reasons in the scheduler's newest message that the diagnosis cannot check; empty if the message
     *     is not recent
     * @param nominated the name of the nominated node; empty if the pod has none
     */
    record Question(
            PodDemandFacts ask,
            DiagnosedNodeUse.Asker asker,
            Predicate<DiagnosedNode> place,
            List<PodObstacle> unseen,
            String nominated) {
        Amounts gpus() {
            return ask.devices();
        }

        /** Returns a copy of the question that is limited to the nodes for which {@code only} returns true. */
        Question on(Predicate<DiagnosedNode> only) {
            return new Question(ask, asker, place.and(only), unseen, nominated);
        }
    }

    /**
     * Holds what the namespace and the labels of a pod mean for where it may run. Pods with equal values share an
     * answer.
     *
     * @param ownMatches for each affinity term and spread constraint of the pod, true if the pod itself matches it
     * @param repelledBy the anti-affinity terms of other pods that match this pod
     */
    record PeerIdentity(String namespace, List<Boolean> ownMatches, Set<PeerTerm> repelledBy) {}

    /** Returns the reasons in the scheduler's message that the diagnosis cannot evaluate. */
    public List<PodObstacle> unseen(String message, PodDemandFacts ask) {
        return SchedulerMessageReasons.unseen(message, ask.peers(), repulsion.isExact());
    }

    public PeerIdentity identity(PodDemandFacts ask) {
        return DiagnosedPodAffinity.identity(ask, repulsion);
    }

    /**
     * Holds the result of a search: the obstacles that have to be removed before the pod can run.
     *
     * @param codes the distinct codes of the obstacles, in the order of {@link DiagnosisCode}; empty if there is no
     *     obstacle
     * @param equal the best paths, which are all equally good, sorted by the names of their nodes; never empty
     * @param supply the numbers of devices on the nodes that could run the pod; {@link DiagnosedSupply#NOT_ASKED} if
     *     the devices are not in use by other pods
     */
    record ChosenPath(List<DiagnosisCode> codes, List<NodeObstacles> equal, DiagnosedSupply supply) {

        /** Returns the kinds of constraints that the nodes do not meet, for all equally good paths together, sorted. */
        public List<String> reasons() {
            TreeSet<String> words = new TreeSet<>();
            for (NodeObstacles path : equal) {
                for (PodObstacle obstacle : path.obstacles()) {
                    if (obstacle instanceof PodObstacle.Mismatch mismatch) {
                        words.add(mismatch.reason().word());
                    }
                }
            }
            return List.copyOf(words);
        }
    }

    /** Returns the best path together with all equally good paths; empty if no node has a path. */
    public Optional<ChosenPath> choose(Question question) {
        return new OneSearch(question).choose();
    }

    /**
     * A path without texts. The texts are written only if the path is chosen.
     *
     * @param node the index of the node
     * @param way the obstacles that have to be removed before the node can provide the devices
     */
    private record Sketch(int node, List<PodObstacle> way) {}

    /** Searches the paths for one pod. Only chosen paths are turned into text, because most paths are never shown. */
    private final class OneSearch {

        private static final int UNKNOWN = -1;

        /** The number of bits for the number of mismatch reasons. There are fewer than 16 reasons. */
        private static final int BITS_OF_A_COUNT = 4;

        private final Question question;
        private final GpuObstacles gpus;
        private final DiagnosedNodeMismatches mismatches;
        private final DiagnosedPodAffinity peers;
        private final int unseen;
        private final int[] candidates;
        /** Caches the mismatch reasons of each candidate node. The index is the position in {@code candidates}. */
        private final int[] known;

        OneSearch(Question question) {
            this.question = question;
            gpus = new GpuObstacles(question, nodes);
            mismatches = new DiagnosedNodeMismatches(question.ask(), question.asker(), nodes);
            peers = new DiagnosedPodAffinity(question.ask(), nodes.nodes(), repulsion);
            unseen = bits(question.unseen());
            Set<GpuVendor> vendors = EnumSet.noneOf(GpuVendor.class);
            question.gpus().forEach((resource, _) -> GpuVendor.of(resource).ifPresent(vendors::add));
            candidates = only(nodes.with(vendors), node -> question.place().test(nodes.node(node)));
            known = new int[candidates.length];
            Arrays.fill(known, UNKNOWN);
        }

        private static int bits(List<PodObstacle> obstacles) {
            int bits = 0;
            for (PodObstacle obstacle : obstacles) {
                bits |= obstacle instanceof PodObstacle.Mismatch mismatch
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
                        | (peers.on(nodes.node(node)).isPresent() ? DiagnosedMismatchReason.POD_AFFINITY.bit() : 0);
            }
            return known[candidate];
        }

        Optional<ChosenPath> choose() {
            List<Sketch> best = new ArrayList<>();
            long least = Long.MAX_VALUE;
            for (int candidate = 0; candidate < candidates.length; candidate++) {
                RuleTime.check();
                for (List<PodObstacle> way : gpus.ways(candidates[candidate])) {
                    long rank = rank(way, candidate);
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

        /**
         * Returns the rank of a path; a smaller rank is better. The reasons in the scheduler's message count only if
         * the diagnosis finds no other obstacle. Among otherwise equal paths, a path is better if fewer mismatches
         * remain after the repair of its fault.
         */
        private long rank(List<PodObstacle> way, int candidate) {
            int reasons = reasons(candidate);
            int lasting = reasons == 0 ? 0 : Integer.bitCount(reasons & ~ended(way, candidates[candidate]));
            long rank = NodeObstacles.rank(way, way.isEmpty() && reasons == 0 ? unseen : reasons);
            return rank << BITS_OF_A_COUNT | lasting;
        }

        /** Returns the bits of the mismatch reasons that no longer apply after the fault on the path is repaired. */
        private int ended(List<PodObstacle> way, int node) {
            int ended = 0;
            for (PodObstacle obstacle : way) {
                if (obstacle instanceof PodObstacle.NodeFault(FindingCode fault)) {
                    ended |= mismatches.endedBy(fault, node);
                }
            }
            return ended;
        }

        private NodeObstacles path(Sketch sketch) {
            RuleTime.check();
            DiagnosedNode node = nodes.node(sketch.node());
            List<PodObstacle> all = new ArrayList<>(sketch.way());
            int ended = ended(sketch.way(), sketch.node());
            mismatches.on(sketch.node()).stream()
                    .map(found -> endsWithFault(found, ended, sketch.way()))
                    .forEach(all::add);
            peers.on(node).ifPresent(all::add);
            return new NodeObstacles(node, all.isEmpty() ? question.unseen() : all);
        }

        /**
         * Returns the mismatch unchanged if it remains after the repair. Otherwise returns an obstacle which says that
         * the mismatch ends with the fault.
         *
         * @param ended the bits of the reasons that end with the fault
         */
        private static PodObstacle endsWithFault(PodObstacle found, int ended, List<PodObstacle> way) {
            return found instanceof PodObstacle.Mismatch(DiagnosedMismatchReason reason, String fact)
                            && (ended & reason.bit()) != 0
                    ? new PodObstacle.EndsWithFault(way.getFirst().code(), fact)
                    : found;
        }

        private ChosenPath chosen(List<Sketch> sketches) {
            List<NodeObstacles> best = sketches.stream().map(this::path).toList();
            List<DiagnosisCode> codes = best.getFirst().codes();
            if (!codes.contains(DiagnosisCode.ALL_USED)) {
                return new ChosenPath(codes, best, DiagnosedSupply.NOT_ASKED);
            }
            DiagnosedSupply passed = supply(where(this::passes));
            boolean fragmented = codes.size() == 1 && passed.isEnough(question.gpus());
            return fragmented
                    ? new ChosenPath(List.of(DiagnosisCode.FRAGMENTED), best, passed)
                    : new ChosenPath(codes, best, supply(holding(sketches)));
        }

        /**
         * Returns false if a mismatch excludes the pod from the node. If the scheduler's message gives a reason that
         * the diagnosis cannot check, also returns false for each node with enough free devices. Returns true
         * otherwise.
         */
        private boolean passes(int candidate) {
            return reasons(candidate) == 0
                    && (unseen == 0 || !gpus.ways(candidates[candidate]).contains(List.<PodObstacle>of()));
        }

        private DiagnosedSupply supply(int[] places) {
            return DiagnosedSupply.of(nodes, places, question.gpus(), question.asker());
        }

        /**
         * Returns the nodes that are intended for the pod and offer enough devices, even if other pods use them.
         * Includes the nodes of the chosen paths that offer enough devices only after a repair. If other pods use
         * needed devices on none of these nodes, returns only the nodes of the chosen paths.
         */
        private int[] holding(List<Sketch> best) {
            int[] chosen = best.stream().mapToInt(Sketch::node).distinct().toArray();
            int[] own = where(candidate -> !DiagnosedMismatchReason.areForeign(reasons(candidate))
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
