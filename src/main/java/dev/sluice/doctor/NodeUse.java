package dev.sluice.doctor;

import dev.sluice.cluster.ClaimedDevices;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.dra.DraState;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.doctor.facts.PodFacts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Adds up the resources that the pods of one node use: bound pods, including terminating pods, and nominated pods. */
final class NodeUse {

    private static final NodeUse NOTHING = new NodeUse();

    private final List<PodFacts> bound = new ArrayList<>();
    private final List<PodFacts> nominated = new ArrayList<>();
    private Amounts taken = Amounts.NONE;
    private Amounts leaving = Amounts.NONE;

    private NodeUse() {}

    /** Returns the use of each node, by the name of the node. */
    static Map<String, NodeUse> byNode(List<PodFacts> pods) {
        Map<String, NodeUse> uses = new HashMap<>();
        for (PodFacts pod : pods) {
            if (pod.holdsItsNode()) {
                uses.computeIfAbsent(pod.nodeName(), _ -> new NodeUse()).bind(pod);
            } else if (isNominated(pod)) {
                uses.computeIfAbsent(pod.nominatedNode(), _ -> new NodeUse())
                        .nominated
                        .add(pod);
            }
        }
        return uses;
    }

    /**
     * Returns the use of a node on which DRA hands out devices. Of these devices the use is what claims have, and what
     * bound pods have asked for whose claims are not known.
     */
    NodeUse withClaims(Node node, DraState dra) {
        if (node.byClaims().equals(ClaimedDevices.NONE)) {
            return this;
        }
        NodeUse use = new NodeUse();
        use.bound.addAll(bound);
        use.nominated.addAll(nominated);
        use.leaving = leaving;
        Amounts free = dra.room(node, taken, List.of()).free();
        use.taken = taken.only(name -> !node.claims(name))
                .plus(node.byClaims().offered().minus(free));
        return use;
    }

    static NodeUse nothing() {
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
     * Returns the nominated pods whose resources are reserved before the pod under study is scheduled. The pod itself
     * is left out if it is nominated to this node.
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
        long sum = taken.get(resource);
        for (PodFacts pod : nominated) {
            sum = Amounts.saturatedSum(
                    sum, asker.comesAfter(pod) ? pod.ask().requests().get(resource) : 0);
        }
        return sum;
    }

    public long leaving(ResourceName resource) {
        return leaving.get(resource);
    }

    public long pods(Asker asker) {
        return nominated.isEmpty()
                ? bound.size()
                : bound.size() + nominated.stream().filter(asker::comesAfter).count();
    }

    /**
     * Identifies the pod under study, to compare it with nominated pods.
     *
     * @param priority the priority of the pod
     * @param nominee the pod as {@code namespace/name} if it is nominated itself, otherwise empty; the name is used
     *     because pods from files may have no UID
     */
    public record Asker(long priority, String nominee) {
        boolean comesAfter(PodFacts nominated) {
            return nominated.ask().priority() >= priority
                    && !nominated.fullName().equals(nominee);
        }
    }
}
