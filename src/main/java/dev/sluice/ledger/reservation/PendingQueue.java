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
 * Reservations for which there is no room, by what they ask, so that of a thousand alike only the first is tried; and
 * by where they may go, so that a node is not tried for thousands that it will never admit.
 */
final class PendingQueue {

    private static final String HOSTNAME = "kubernetes.io/hostname";
    /** No label is called so. */
    private static final String NAME = "";

    /** Those that ask the same, since the first of them came; empty once they are gone. */
    private record Alike(long turn, PodDemand ask, @Nullable Only only, Set<Reservation> reservations) {
        boolean isGone() {
            return reservations.isEmpty();
        }
    }

    /** What nodes must have to admit a pod: a name, or a label. */
    private record Only(String label, String value) {}

    /** Whom the nodes of one shelf may admit, of those who came up to {@code turn}. */
    private static final class Candidates {
        private final List<Alike> inOrder = new ArrayList<>();
        private long turn;
    }

    private final NodeIndex stock;
    /** In the order of their coming. */
    private final Map<PodDemand, Alike> byAsk = new LinkedHashMap<>();
    /** Those who can go to one node only, or to those with a label by which nodes of one shelf differ. */
    private final Map<Only, List<Alike>> pinned = new HashMap<>();
    /** All others, by turn. */
    private final TreeMap<Long, Alike> free = new TreeMap<>();
    /** Looked up once, as nodes of one shelf are treated alike; shelves that were dropped go by themselves. */
    private final Map<NodeBucket, Candidates> byShelf = new WeakHashMap<>();

    private long groupings;
    private long turns;

    PendingQueue(NodeIndex stock) {
        this.stock = stock;
    }

    boolean isEmpty() {
        return byAsk.isEmpty();
    }

    boolean has(Reservation reservation) {
        Alike alike = byAsk.get(reservation.demand());
        return alike != null && alike.reservations().contains(reservation);
    }

    boolean hasAlike(Reservation reservation) {
        return byAsk.containsKey(reservation.demand());
    }

    Stream<Reservation> all() {
        return byAsk.values().stream().flatMap(alike -> alike.reservations().stream());
    }

    /** The oldest of at most so many asks. */
    List<Reservation> oldest(int asks) {
        return byAsk.values().stream()
                .limit(asks)
                .map(alike -> alike.reservations().iterator().next())
                .toList();
    }

    void add(Reservation reservation) {
        var _ = byAsk.computeIfAbsent(reservation.demand(), this::comes)
                .reservations()
                .add(reservation);
    }

    private Alike comes(PodDemand ask) {
        Only only = only(ask.constraints());
        Alike alike = new Alike(++turns, ask, only, new LinkedHashSet<>());
        if (only == null) {
            free.put(alike.turn(), alike);
        } else {
            var _ = pinned.computeIfAbsent(only, _ -> new ArrayList<>()).add(alike);
        }
        return alike;
    }

    private @Nullable Only only(NodeConstraints constraints) {
        Optional<Only> named = constraints.onlyNode().map(name -> new Only(NAME, name));
        return named.or(() -> constraints.onlyHostname().map(name -> new Only(HOSTNAME, name)))
                .or(() -> rarestLabel(constraints))
                .orElse(null);
    }

    /** That for which the fewest wait. A selector that shelves can answer needs none. */
    private Optional<Only> rarestLabel(NodeConstraints constraints) {
        return stock.readsIndividually(constraints)
                ? constraints.nodeSelector().entrySet().stream()
                        .map(label -> new Only(label.getKey(), label.getValue()))
                        .min(Comparator.comparingInt(
                                only -> pinned.getOrDefault(only, List.of()).size()))
                : Optional.empty();
    }

    /** If it is among them. */
    void remove(Reservation reservation) {
        Alike alike = byAsk.get(reservation.demand());
        if (alike != null && alike.reservations().remove(reservation) && alike.isGone()) {
            goes(alike);
        }
    }

    private void goes(Alike alike) {
        byAsk.remove(alike.ask());
        free.remove(alike.turn());
        Only only = alike.only();
        if (only != null) {
            pinned.computeIfPresent(only, (_, all) -> {
                all.removeIf(Alike::isGone);
                return all.isEmpty() ? null : all;
            });
        }
    }

    /** As many as fit there come to stand on {@code account}, in the order of their coming. */
    void fill(NodeUsage account) {
        if (byAsk.isEmpty() || account.node() == null || account.shelf() == null) {
            return;
        }
        for (Alike alike : covered(account, account.node(), account.shelf())) {
            PodDemand ask = alike.ask();
            while (!alike.isGone() && account.fits(ask)) {
                Reservation first = alike.reservations().iterator().next();
                remove(first);
                first.unplace().place(account);
            }
        }
    }

    /** What is free only shrinks while it is filled, so nobody else can come to fit. */
    private List<Alike> covered(NodeUsage account, Node node, NodeBucket shelf) {
        List<Alike> covered = new ArrayList<>();
        for (Alike alike : candidates(shelf)) {
            if (account.covers(alike.ask().need())) {
                covered.add(alike);
            }
        }
        int ordered = covered.size();
        if (!pinned.isEmpty()) {
            covered.addAll(pinned.getOrDefault(new Only(NAME, node.name()), List.of()));
            node.labels().forEach((label, value) -> {
                var _ = covered.addAll(pinned.getOrDefault(new Only(label, value), List.of()));
            });
        }
        if (covered.size() > ordered) {
            covered.sort(Comparator.comparingLong(Alike::turn));
        }
        return covered;
    }

    private List<Alike> candidates(NodeBucket shelf) {
        if (groupings != stock.groupings()) {
            groupings = stock.groupings();
            byShelf.clear();
        }
        Candidates candidates = byShelf.computeIfAbsent(shelf, _ -> new Candidates());
        candidates.inOrder.removeIf(Alike::isGone);
        for (Alike alike : free.tailMap(candidates.turn, false).values()) {
            NodeConstraints constraints = alike.ask().constraints();
            if (stock.readsIndividually(constraints) || shelf.admits(constraints)) {
                candidates.inOrder.add(alike);
            }
        }
        candidates.turn = turns;
        return candidates.inOrder;
    }
}
