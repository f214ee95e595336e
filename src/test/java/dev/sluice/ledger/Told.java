package dev.sluice.ledger;

import dev.sluice.event.NodeEvent;
import dev.sluice.event.PodEvent;
import dev.sluice.ledger.nodeindex.AssumeRequest;
import dev.sluice.ledger.nodeindex.PodDemand;
import dev.sluice.node.Node;
import dev.sluice.pod.Pod;
import dev.sluice.pod.PodId;
import dev.sluice.quantity.Amounts;
import dev.sluice.scheduling.NodeConstraints;
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
 * What a ledger was told and asked to reserve, in plain maps: the obvious model, from which everything is computed from
 * scratch. It is told news only, no replays.
 */
final class Told {

    /** Something that wants a node. */
    record Demand(
            String holder,
            Amounts need,
            NodeConstraints constraints,
            @Nullable String nominated,
            boolean room,
            boolean grown) {

        Demand of(Pod pod, Pod.Place.Unbound place) {
            boolean same = need.equals(PodDemand.countable(pod.requests()))
                    && constraints.equals(place.constraints())
                    && place.nominated() == null;
            return new Demand(
                    pod.name(),
                    PodDemand.countable(pod.requests()),
                    place.constraints(),
                    place.nominated(),
                    room,
                    grown && same);
        }

        /** It stands where it is, room or not. */
        boolean insists(String node) {
            return node.equals(nominated) || (grown && room);
        }
    }

    /** {@code owed}: it gave way, so nothing is promised to it until its pod is seen. */
    private record Given(String namespace, Demand demand, Instant at, boolean owed) {}

    private static final Demand UNKNOWN =
            new Demand("", Amounts.NONE, NodeConstraints.NONE, null, /* room= */ false, /* grown= */ false);

    final Map<String, Node> nodes = new HashMap<>();
    final Map<PodId, Pod> pods = new HashMap<>();
    private final Map<PodId, Demand> unbound = new HashMap<>();
    private final Map<String, Given> given = new LinkedHashMap<>();
    private final Set<PodId> listed = new HashSet<>();
    private Instant syncedUpTo = Instant.MIN;

    void hears(NodeEvent event) {
        switch (event) {
            case NodeEvent.NodesListed list -> {
                nodes.clear();
                list.nodes().forEach(node -> nodes.put(node.name(), node));
            }
            case NodeEvent.NodeSeen seen -> nodes.put(seen.node().name(), seen.node());
            case NodeEvent.NodeRemoved removed -> nodes.remove(removed.name());
            case NodeEvent.NodesBookmark _, NodeEvent.NodesSyncedUpTo _ -> {}
        }
    }

    void hears(PodEvent event) {
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
                    var _ = redeemed(removed.stamp(), removed.namespace());
                }
                remove(removed.id());
            }
            case PodEvent.PodsBookmark _ -> {}
            case PodEvent.PodsSyncedUpTo told -> upTo(told.moment());
        }
    }

    private void upTo(Instant moment) {
        syncedUpTo = moment.isAfter(syncedUpTo) ? moment : syncedUpTo;
        given.values().removeIf(one -> !one.at().plusSeconds(34).isAfter(syncedUpTo));
    }

    private void put(Pod pod) {
        Demand before = unbound.get(pod.id());
        if (!pods.containsKey(pod.id())) {
            Demand decided = redeemed(pod.stamp(), pod.namespace());
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

    private @Nullable Demand redeemed(String stamp, String namespace) {
        if (!isAssumed(stamp, namespace)) {
            return null;
        }
        Given one = Objects.requireNonNull(given.remove(stamp));
        return one.owed() ? promised(one.demand(), /* room= */ true) : one.demand();
    }

    private static Demand promised(Demand demand, boolean room) {
        return new Demand(
                demand.holder(), demand.need(), demand.constraints(), demand.nominated(), room, /* grown= */ false);
    }

    /** They wait like others, and stand wherever there is room. */
    void gaveWay(List<String> stamps) {
        stamps.forEach(stamp -> given.computeIfPresent(
                stamp,
                (_, one) -> new Given(
                        one.namespace(),
                        promised(one.demand(), /* room= */ false),
                        one.at(),
                        one.owed() || one.demand().room())));
    }

    /** By stamp. */
    Map<String, Demand> unseenDemands() {
        Map<String, Demand> demands = new HashMap<>();
        given.forEach((stamp, one) -> demands.put(stamp, one.demand()));
        return demands;
    }

    private void remove(PodId id) {
        pods.remove(id);
        unbound.remove(id);
    }

    void assumed(AssumeRequest decided, Instant at) {
        given.put(
                decided.stamp(),
                new Given(
                        decided.namespace(),
                        demand(decided, decided.room(), /* grown= */ false),
                        at,
                        /* owed= */ false));
    }

    private static Demand demand(AssumeRequest decided, boolean room, boolean grown) {
        return new Demand(
                "a new pod in " + decided.namespace(),
                PodDemand.countable(decided.need()),
                decided.constraints(),
                null,
                room,
                grown);
    }

    boolean isAssumed(String stamp, String namespace) {
        Given one = given.get(stamp);
        return one != null && one.namespace().equals(namespace);
    }

    void reassumed(AssumeRequest decided) {
        given.computeIfPresent(decided.stamp(), (_, one) -> {
            Demand before = one.demand();
            boolean same = before.need().equals(PodDemand.countable(decided.need()))
                    && before.constraints().equals(decided.constraints());
            return same
                    ? one
                    : new Given(
                            one.namespace(),
                            demand(decided, before.room(), /* grown= */ !one.owed()),
                            one.at(),
                            one.owed());
        });
    }

    int unseen() {
        return given.size();
    }

    List<Demand> demands() {
        List<Demand> all = new ArrayList<>(unbound.values());
        given.values().forEach(one -> all.add(one.demand()));
        return all;
    }

    /** What bound pods hold, by node, whether the node is known or not. */
    Map<String, long[]> allocated() {
        Map<String, long[]> sums = new HashMap<>();
        for (Pod pod : pods.values()) {
            if (pod.place() instanceof Pod.Place.Bound(String node)) {
                add(
                        sums.computeIfAbsent(node, _ -> new long[Palette.NAMES.size()]),
                        PodDemand.countable(pod.requests()));
            }
        }
        return sums;
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
