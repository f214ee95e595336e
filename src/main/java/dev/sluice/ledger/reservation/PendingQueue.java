package dev.sluice.ledger.reservation;

import dev.sluice.ledger.nodeindex.NodeBucket;
import dev.sluice.ledger.nodeindex.NodeIndex;
import dev.sluice.ledger.nodeindex.NodeUsage;
import dev.sluice.ledger.nodeindex.PodDemand;
import dev.sluice.ledger.nodeindex.Reservation;
import dev.sluice.node.Node;
import dev.sluice.scheduling.NodeConstraints;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.WeakHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reservations for which there is no room, by what they demand, so that of a thousand same only the first is tried; and
 * by where they may go, so that a node is not tried for thousands that it will never admit.
 */
final class PendingQueue {

    private static final String HOSTNAME = "kubernetes.io/hostname";
    /** No label is called so. */
    private static final String NAME = "";

    /** Those that demand the same, since the first of them came; empty once they are gone. */
    private record SameDemand(
            long turn, PodDemand demand, @Nullable RequiredLabel label, Set<Reservation> reservations) {
        boolean isEmpty() {
            return reservations.isEmpty();
        }
    }

    /** What nodes must have to admit a pod: a name, or a label. */
    private record RequiredLabel(String key, String value) {}

    /** Whom the nodes of one bucket may admit, of those who came up to {@code turn}. */
    private static final class Candidates {
        private final List<SameDemand> inOrder = new ArrayList<>();
        private long turn;
    }

    private final NodeIndex index;
    /** In the order of their coming. */
    private final Map<PodDemand, SameDemand> byDemand = new LinkedHashMap<>();
    /** Those who can go to one node only, or to those with a label by which nodes of one bucket differ. */
    private final Map<RequiredLabel, List<SameDemand>> byLabel = new HashMap<>();
    /** All others, by turn. */
    private final TreeMap<Long, SameDemand> withoutLabel = new TreeMap<>();
    /** Looked up once, as nodes of one bucket are treated same; buckets that were dropped go by themselves. */
    private final Map<NodeBucket, Candidates> byBucket = new WeakHashMap<>();

    private long groupings;
    private long turns;

    PendingQueue(NodeIndex index) {
        this.index = index;
    }

    boolean isEmpty() {
        return byDemand.isEmpty();
    }

    boolean has(Reservation reservation) {
        SameDemand same = byDemand.get(reservation.demand());
        return same != null && same.reservations().contains(reservation);
    }

    boolean hasSameDemand(Reservation reservation) {
        return byDemand.containsKey(reservation.demand());
    }

    Stream<Reservation> all() {
        return byDemand.values().stream().flatMap(same -> same.reservations().stream());
    }

    /** The oldest of at most so many asks. */
    List<Reservation> oldest(int asks) {
        return byDemand.values().stream()
                .limit(asks)
                .map(same -> same.reservations().iterator().next())
                .toList();
    }

    void add(Reservation reservation) {
        var _ = byDemand.computeIfAbsent(reservation.demand(), this::newDemand)
                .reservations()
                .add(reservation);
    }

    private SameDemand newDemand(PodDemand demand) {
        RequiredLabel only = requiredLabel(demand.constraints());
        SameDemand same = new SameDemand(++turns, demand, only, new LinkedHashSet<>());
        if (only == null) {
            withoutLabel.put(same.turn(), same);
        } else {
            var _ = byLabel.computeIfAbsent(only, _ -> new ArrayList<>()).add(same);
        }
        return same;
    }

    private @Nullable RequiredLabel requiredLabel(NodeConstraints constraints) {
        Optional<RequiredLabel> named = constraints.onlyNode().map(name -> new RequiredLabel(NAME, name));
        return named.or(() -> constraints.onlyHostname().map(name -> new RequiredLabel(HOSTNAME, name)))
                .or(() -> rarestLabel(constraints))
                .orElse(null);
    }

    /** That for which the fewest wait. A selector that buckets can answer needs none. */
    private Optional<RequiredLabel> rarestLabel(NodeConstraints constraints) {
        return index.readsIndividually(constraints)
                ? constraints.nodeSelector().entrySet().stream()
                        .map(label -> new RequiredLabel(label.getKey(), label.getValue()))
                        .min(Comparator.comparingInt(
                                only -> byLabel.getOrDefault(only, List.of()).size()))
                : Optional.empty();
    }

    /** If it is among them. */
    void remove(Reservation reservation) {
        SameDemand same = byDemand.get(reservation.demand());
        if (same != null && same.reservations().remove(reservation) && same.isEmpty()) {
            drop(same);
        }
    }

    private void drop(SameDemand same) {
        byDemand.remove(same.demand());
        withoutLabel.remove(same.turn());
        RequiredLabel only = same.label();
        if (only != null) {
            byLabel.computeIfPresent(only, (_, all) -> {
                all.removeIf(SameDemand::isEmpty);
                return all.isEmpty() ? null : all;
            });
        }
    }

    /** As many as fit there come to stand on {@code usage}, in the order of their coming. */
    void fill(NodeUsage usage) {
        if (byDemand.isEmpty() || usage.node() == null || usage.bucket() == null) {
            return;
        }
        for (SameDemand same : covered(usage, usage.node(), usage.bucket())) {
            PodDemand demand = same.demand();
            while (!same.isEmpty() && usage.fits(demand)) {
                Reservation first = same.reservations().iterator().next();
                remove(first);
                first.unplace().place(usage);
            }
        }
    }

    /** What is free only shrinks while it is filled, so nobody else can come to fit. */
    private List<SameDemand> covered(NodeUsage usage, Node node, NodeBucket bucket) {
        List<SameDemand> covered = new ArrayList<>();
        for (SameDemand same : candidates(bucket)) {
            if (usage.covers(same.demand().need())) {
                covered.add(same);
            }
        }
        int ordered = covered.size();
        if (!byLabel.isEmpty()) {
            covered.addAll(byLabel.getOrDefault(new RequiredLabel(NAME, node.name()), List.of()));
            node.labels().forEach((label, value) -> {
                var _ = covered.addAll(byLabel.getOrDefault(new RequiredLabel(label, value), List.of()));
            });
        }
        if (covered.size() > ordered) {
            covered.sort(Comparator.comparingLong(SameDemand::turn));
        }
        return covered;
    }

    private List<SameDemand> candidates(NodeBucket bucket) {
        if (groupings != index.groupings()) {
            groupings = index.groupings();
            byBucket.clear();
        }
        Candidates candidates = byBucket.computeIfAbsent(bucket, _ -> new Candidates());
        candidates.inOrder.removeIf(SameDemand::isEmpty);
        for (SameDemand same : withoutLabel.tailMap(candidates.turn, false).values()) {
            NodeConstraints constraints = same.demand().constraints();
            if (index.readsIndividually(constraints) || bucket.admits(constraints)) {
                candidates.inOrder.add(same);
            }
        }
        candidates.turn = turns;
        return candidates.inOrder;
    }
}
