package dev.sluice.doctor;

import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.doctor.facts.PodFacts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the pods of one node take: those that are bound, terminating ones included, and those nominated to it. */
final class NodeUse {

    private static final NodeUse NOTHING = new NodeUse();

    private final List<PodFacts> bound = new ArrayList<>();
    private final List<PodFacts> nominated = new ArrayList<>();
    private Amounts taken = Amounts.NONE;
    private Amounts leaving = Amounts.NONE;

    private NodeUse() {}

    /** By the name of the node. */
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

    /** The nominated pods that go before a pod of this priority, which may be one of them itself. */
    public List<PodFacts> nominatedBefore(Asker asker) {
        return nominated.stream().filter(asker::comesAfter).toList();
    }

    /** Without the nominated pods. */
    public long taken(ResourceName resource) {
        return taken.get(resource);
    }

    public boolean hasNominated() {
        return !nominated.isEmpty();
    }

    public long of(ResourceName resource, Asker asker) {
        long sum = taken.get(resource);
        for (PodFacts pod : nominated) {
            sum += asker.comesAfter(pod) ? pod.ask().requests().get(resource) : 0;
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
     * The pod under study, as others see it.
     *
     * @param nominee {@code namespace/name} where it is nominated itself, else empty; a pod of a file may have no uid
     */
    public record Asker(long priority, String nominee) {
        boolean comesAfter(PodFacts nominated) {
            return nominated.ask().priority() >= priority
                    && !nominated.fullName().equals(nominee);
        }
    }
}
