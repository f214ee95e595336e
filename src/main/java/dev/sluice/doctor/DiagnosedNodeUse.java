package dev.sluice.doctor;

import dev.sluice.cluster.Node;
import dev.sluice.cluster.NodeExtendedResources;
import dev.sluice.cluster.dra.DraState;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.doctor.facts.PodFacts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Adds up the resources that the pods of one node use: bound pods, including terminating pods, and nominated pods. */
final class DiagnosedNodeUse {

    private static final DiagnosedNodeUse NOTHING = new DiagnosedNodeUse();

    private final List<PodFacts> bound = new ArrayList<>();
    private final List<PodFacts> nominated = new ArrayList<>();
    /** Holds the nominated pods by {@code namespace/name}. */
    private final Map<String, PodFacts> nominees = new HashMap<>();

    private final Map<ResourceName, RunningSum> reserved = new HashMap<>();
    private final RunningSum counted = new RunningSum();
    private Amounts taken = Amounts.NONE;
    private Amounts leaving = Amounts.NONE;

    private DiagnosedNodeUse() {}

    /** Returns the use of each node, by the name of the node. */
    static Map<String, DiagnosedNodeUse> byNode(List<PodFacts> pods) {
        Map<String, DiagnosedNodeUse> uses = new HashMap<>();
        for (PodFacts pod : pods) {
            if (pod.holdsItsNode()) {
                uses.computeIfAbsent(pod.nodeName(), _ -> new DiagnosedNodeUse())
                        .bind(pod);
            } else if (isNominated(pod)) {
                uses.computeIfAbsent(pod.nominatedNode(), _ -> new DiagnosedNodeUse())
                        .nominated
                        .add(pod);
            }
        }
        uses.values().forEach(DiagnosedNodeUse::count);
        return uses;
    }

    /**
     * Returns a copy for a node on which DRA allocates devices. A device counts as used if it is allocated to a claim,
     * or if a bound pod requests it and the pod's claim is not known yet. If no ResourceClaims are known, only the
     * requests of bound pods count.
     */
    DiagnosedNodeUse withClaims(Node node, DraState dra) {
        if (node.byClaims().equals(NodeExtendedResources.NONE)) {
            return this;
        }
        DiagnosedNodeUse use = new DiagnosedNodeUse();
        use.bound.addAll(bound);
        use.nominated.addAll(nominated);
        use.leaving = leaving;
        DraState.DeviceRoom room = dra.room(node, taken, List.of());
        Amounts free = dra.claims().isKnown() ? room.free() : room.doubtful();
        use.taken = taken.only(name -> !node.claims(name))
                .plus(node.byClaims().offered().minus(free).within(0, Long.MAX_VALUE));
        return use;
    }

    static DiagnosedNodeUse nothing() {
        return NOTHING;
    }

    private static boolean isNominated(PodFacts pod) {
        return !pod.isBound()
                && !pod.hasEnded()
                && !pod.state().terminating()
                && !pod.nominatedNode().isEmpty();
    }

    private void bind(PodFacts pod) {
        bound.add(pod);
        taken = taken.plus(pod.ask().requests());
        if (pod.state().terminating()) {
            leaving = leaving.plus(pod.ask().requests());
        }
    }

    public List<PodFacts> bound() {
        return bound;
    }

    /**
     * Returns the nominated pods that have at least the priority of the pod {@code asker}, without this pod itself. The
     * scheduler reserves resources of the node for these pods.
     */
    public List<PodFacts> nominatedBefore(Asker asker) {
        return nominated.stream().filter(asker::comesAfter).toList();
    }

    /** Returns the amount that bound pods use, without nominated pods. */
    public long taken(ResourceName resource) {
        return taken.get(resource);
    }

    public boolean hasNominated() {
        return !nominated.isEmpty();
    }

    public long of(ResourceName resource, Asker asker) {
        PodFacts own = nominees.get(asker.nominee());
        long others = reserved.getOrDefault(resource, RunningSum.NOTHING).from(asker.priority())
                - (own != null && own.ask().priority() >= asker.priority()
                        ? own.ask().requests().get(resource)
                        : 0);
        return Amounts.saturatedSum(taken.get(resource), others);
    }

    public long leaving(ResourceName resource) {
        return leaving.get(resource);
    }

    public long pods(Asker asker) {
        PodFacts own = nominees.get(asker.nominee());
        return bound.size()
                + counted.from(asker.priority())
                - (own != null && own.ask().priority() >= asker.priority() ? 1 : 0);
    }

    /**
     * Adds up the requests of the nominated pods. This is done only once, because many pods are compared with the sums.
     */
    private void count() {
        nominated.stream()
                .sorted(Comparator.comparingLong((PodFacts pod) -> pod.ask().priority())
                        .reversed())
                .forEach(pod -> {
                    nominees.put(pod.fullName(), pod);
                    counted.add(pod.ask().priority(), 1);
                    pod.ask()
                            .requests()
                            .forEach((resource, amount) -> reserved.computeIfAbsent(resource, _ -> new RunningSum())
                                    .add(pod.ask().priority(), amount));
                });
    }

    /** Holds running sums of amounts. The amounts must be added in descending order of priority. */
    private static final class RunningSum {

        private static final RunningSum NOTHING = new RunningSum();

        private final List<long[]> sums = new ArrayList<>();

        private void add(long priority, long amount) {
            long before = sums.isEmpty() ? 0 : sums.getLast()[1];
            sums.add(new long[] {priority, before + amount});
        }

        /** Returns the sum of the amounts with at least this priority. */
        private long from(long priority) {
            int low = 0;
            int high = sums.size();
            while (low < high) {
                int middle = (low + high) >>> 1;
                if (sums.get(middle)[0] >= priority) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            return low == 0 ? 0 : sums.get(low - 1)[1];
        }
    }

    /**
     * Identifies the pod that is diagnosed, so that it can be compared with nominated pods.
     *
     * @param priority the priority of the pod
     * @param nominee the pod as {@code namespace/name} if it is itself nominated to a node, otherwise empty; the name
     *     is used because pods from files may have no UID
     */
    record Asker(long priority, String nominee) {
        boolean comesAfter(PodFacts nominated) {
            return nominated.ask().priority() >= priority
                    && !nominated.fullName().equals(nominee);
        }
    }
}
