package dev.sluice.ledger;

import dev.sluice.cluster.Node;
import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.NodeEvent;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.PodEvent;
import dev.sluice.cluster.PodId;
import dev.sluice.cluster.PodPriority;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.ledger.placement.PlacementDemand;
import dev.sluice.ledger.placement.PlacementRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The events of a ledger and the decisions that it has assumed, in plain maps: the obvious model, from which everything
 * is computed anew. It gets no replays.
 */
final class LedgerModel {

    /** A pod or a decision that needs a node. */
    record Demand(
            String pod,
            Amounts need,
            NodeConstraints constraints,
            @Nullable String nominated,
            boolean room,
            PodPriority priority) {

        Demand of(Pod pod, Pod.Place.Unbound place) {
            return new Demand(
                    pod.name(),
                    PlacementDemand.countable(pod.requests()),
                    place.constraints(),
                    place.nominated(),
                    room,
                    pod.priority());
        }

        /** Whether it stays on this node with or without room. */
        boolean isPinnedTo(String node) {
            return node.equals(nominated);
        }
    }

    /**
     * A decision.
     *
     * @param name of the pod; empty if it is generated
     * @param preempted it has no promise until its pod is seen
     * @param lapsed it holds nothing until its pod is seen
     */
    private record AssumedDemand(
            String namespace, String name, Demand demand, Instant at, boolean preempted, boolean lapsed) {

        AssumedDemand without(Demand promise, boolean lapses) {
            return new AssumedDemand(namespace, name, promise, at, preempted || demand.room(), lapsed || lapses);
        }
    }

    private static final Demand UNKNOWN =
            new Demand("", Amounts.NONE, NodeConstraints.NONE, null, /* room= */ false, PodPriority.NORMAL);

    final Map<String, Node> nodes = new HashMap<>();
    final Map<PodId, Pod> pods = new HashMap<>();
    private final Map<PodId, Demand> unbound = new HashMap<>();
    private final Map<String, AssumedDemand> assumed = new LinkedHashMap<>();
    private final Set<PodId> listed = new HashSet<>();
    private final Set<String> listedNodes = new HashSet<>();
    private Instant syncedUpTo = Instant.MIN;

    void apply(NodeEvent event) {
        switch (event) {
            case NodeEvent.NodesListed list -> {
                nodes.clear();
                list.nodes().forEach(node -> nodes.put(node.name(), node));
            }
            case NodeEvent.NodeListBegun _ -> listedNodes.clear();
            case NodeEvent.NodesPage page ->
                page.nodes().forEach(node -> {
                    listedNodes.add(node.name());
                    nodes.put(node.name(), node);
                });
            case NodeEvent.NodeListEnded _ -> nodes.keySet().retainAll(listedNodes);
            case NodeEvent.NodeSeen seen -> nodes.put(seen.node().name(), seen.node());
            case NodeEvent.NodeRemoved removed -> nodes.remove(removed.name());
            case NodeEvent.NodesBookmark _, NodeEvent.NodesSyncedUpTo _ -> {}
        }
    }

    void apply(PodEvent event) {
        switch (event) {
            case PodEvent.ListBegun _ -> listed.clear();
            case PodEvent.PodsPage page ->
                page.pods().forEach(pod -> {
                    listed.add(pod.id());
                    put(pod);
                });
            case PodEvent.ListEnded ended -> {
                List.copyOf(pods.keySet()).stream()
                        .filter(id -> !listed.contains(id))
                        .forEach(this::remove);
                upTo(ended.asOf());
            }
            case PodEvent.PodSeen seen -> put(seen.pod());
            case PodEvent.PodRemoved removed -> {
                if (!pods.containsKey(removed.id())) {
                    var _ = confirmed(removed.stamp(), removed.namespace());
                }
                remove(removed.id());
            }
            case PodEvent.PodsBookmark _ -> {}
            case PodEvent.PodsSyncedUpTo told -> upTo(told.moment());
        }
    }

    private void upTo(Instant moment) {
        syncedUpTo = moment.isAfter(syncedUpTo) ? moment : syncedUpTo;
        assumed.values().removeIf(one -> !one.at().plusSeconds(34).isAfter(syncedUpTo));
    }

    private void put(Pod pod) {
        Demand before = unbound.get(pod.id());
        if (!pods.containsKey(pod.id())) {
            Demand decided = confirmed(pod.stamp(), pod.namespace());
            before = decided == null ? before : decided;
        }
        remove(pod.id());
        switch (pod.place()) {
            case Pod.Place.Gated _ -> {}
            case Pod.Place.Bound _, Pod.Place.UnknownPlace _ -> pods.put(pod.id(), pod);
            case Pod.Place.Unbound place -> {
                pods.put(pod.id(), pod);
                unbound.put(pod.id(), (before == null ? UNKNOWN : before).of(pod, place));
            }
        }
    }

    private @Nullable Demand confirmed(String stamp, String namespace) {
        if (!isAssumed(stamp, namespace)) {
            return null;
        }
        AssumedDemand one = Objects.requireNonNull(assumed.remove(stamp));
        if (one.lapsed() && !one.preempted()) {
            return null;
        }
        return one.preempted() ? promised(one.demand(), /* room= */ true) : one.demand();
    }

    private static Demand promised(Demand demand, boolean room) {
        return new Demand(
                demand.pod(), demand.need(), demand.constraints(), demand.nominated(), room, demand.priority());
    }

    /** They have no promise any more, and nobody is preempted for them until they are seen. */
    void preempted(List<String> stamps) {
        stamps.forEach(stamp ->
                assumed.computeIfPresent(stamp, (_, one) -> one.without(gaveWay(one.demand()), /* lapses= */ false)));
    }

    private static Demand gaveWay(Demand demand) {
        return new Demand(
                demand.pod(),
                demand.need(),
                demand.constraints(),
                demand.nominated(),
                /* room= */ false,
                demand.priority().withoutPreemption());
    }

    /** A pod of this name is decided anew. */
    void endNamed(String namespace, String name) {
        assumed.replaceAll((_, one) -> !name.isEmpty()
                        && !one.lapsed()
                        && one.namespace().equals(namespace)
                        && one.name().equals(name)
                ? one.without(promised(one.demand(), /* room= */ false), /* lapses= */ true)
                : one);
    }

    /** Whether its pod should have been seen by now. */
    boolean isOverdue(String stamp, Instant now) {
        AssumedDemand one = assumed.get(stamp);
        return one != null && !one.at().plusSeconds(5).isAfter(now);
    }

    String namespace(String stamp) {
        AssumedDemand one = assumed.get(stamp);
        return one == null ? "" : one.namespace();
    }

    /** The demands of decisions that hold something, by stamp. */
    Map<String, Demand> assumedDemands() {
        Map<String, Demand> demands = new LinkedHashMap<>();
        assumed.forEach((stamp, one) -> {
            if (!one.lapsed()) {
                demands.put(stamp, one.demand());
            }
        });
        return demands;
    }

    private void remove(PodId id) {
        pods.remove(id);
        unbound.remove(id);
    }

    void assume(PlacementRequest decided, Instant at) {
        endNamed(decided.namespace(), decided.origin().name());
        assumed.put(
                decided.stamp(),
                new AssumedDemand(
                        decided.namespace(),
                        decided.origin().name(),
                        demand(decided),
                        at,
                        /* preempted= */ false,
                        /* lapsed= */ false));
    }

    private static Demand demand(PlacementRequest decided) {
        return new Demand(
                "a new pod in " + decided.namespace(),
                PlacementDemand.countable(decided.need()),
                decided.constraints(),
                null,
                decided.promised(),
                decided.priority());
    }

    boolean isAssumed(String stamp, String namespace) {
        AssumedDemand one = assumed.get(stamp);
        return one != null && one.namespace().equals(namespace);
    }

    /** The pod is decided again, so that its first decision ends. */
    void forget(String stamp) {
        assumed.remove(stamp);
    }

    int assumedCount() {
        return assumed.size();
    }

    List<Demand> demands() {
        List<Demand> all = new ArrayList<>(unbound.values());
        all.addAll(assumedDemands().values());
        return all;
    }

    /** What bound pods take, by node, whether the node is known or not. */
    Map<String, long[]> allocated() {
        Map<String, long[]> sums = new HashMap<>();
        for (Pod pod : pods.values()) {
            if (pod.place() instanceof Pod.Place.Bound(String node)) {
                add(
                        sums.computeIfAbsent(node, _ -> new long[Palette.NAMES.size()]),
                        PlacementDemand.countable(pod.requests()));
            }
        }
        return sums;
    }

    /** Whether such a pod fits this node if the scheduler preempts all pods of lower priority for it. */
    boolean fitsByPreemption(Node node, Demand wanted, Map<String, String> places) {
        long[] left = Palette.vector(node.allocatable());
        for (Pod pod : pods.values()) {
            if (pod.place() instanceof Pod.Place.Bound(String name)
                    && name.equals(node.name())
                    && pod.priority().value() >= wanted.priority().value()) {
                add(left, Amounts.NONE.minus(PlacementDemand.countable(pod.requests())));
            }
        }
        for (Demand demand : demands()) {
            if (node.name().equals(places.get(demand.pod()))
                    && demand.priority().value() >= wanted.priority().value()) {
                add(left, Amounts.NONE.minus(demand.need()));
            }
        }
        if (!node.allocatable().has(ResourceName.PODS)) {
            left[Palette.PODS] = Integer.MAX_VALUE;
        }
        return wanted.priority().preempts()
                && Packing.covers(left, Palette.vector(wanted.need()))
                && wanted.constraints().presentRefusal(node).isEmpty();
    }

    static void add(long[] sum, Amounts amounts) {
        long[] more = Palette.vector(amounts);
        for (int i = 0; i < sum.length; i++) {
            sum[i] += more[i];
        }
    }

    @Override
    public String toString() {
        return nodes + "\n" + pods + "\n" + demands();
    }
}
