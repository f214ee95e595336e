package dev.sluice.ledger.fairshare;

import dev.sluice.ledger.nodeindex.NodeBucket;
import dev.sluice.ledger.nodeindex.NodeIndex;
import dev.sluice.ledger.nodeindex.NodeUsage;
import dev.sluice.ledger.nodeindex.PodDemand;
import dev.sluice.ledger.nodeindex.Reservation;
import dev.sluice.ledger.nodeindex.Reservation.ExpectedPod;
import dev.sluice.ledger.podentry.Arrivals;
import dev.sluice.ledger.podentry.PodEntry;
import dev.sluice.quantity.Amounts;
import dev.sluice.quantity.ResourceName;
import dev.sluice.scheduling.NodeConstraints;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who holds how much of the nodes that a newcomer may use, by decisions of which no pod was seen, and who must give way
 * so that everybody may have a fair share of it. Holds for one moment.
 *
 * <p>The rule and its reasons are decision 10.
 */
public final class FairShares {

    /** What one namespace has here: by decisions without a pod, and by pods that came a moment ago. */
    private static final class Holdings {
        private Amounts unseen = Amounts.NONE;
        private Amounts arrived = Amounts.NONE;
    }

    private final NodeIndex stock;
    private final String newcomer;
    private final NodeConstraints constraints;
    private final Map<NodeBucket, Boolean> admitting = new HashMap<>();
    private final Map<String, Holdings> tenants = new HashMap<>();
    /** With what there is to share: nodes on which others than the newcomer hold something. */
    private final Map<NodeUsage, Amounts> contested = new HashMap<>();
    /** What is free, and what is held without a pod. */
    private Amounts pool = Amounts.NONE;

    public FairShares(NodeIndex stock, String newcomer, NodeConstraints constraints) {
        this.stock = stock;
        this.newcomer = newcomer;
        this.constraints = constraints;
        for (NodeUsage account : stock.accounts()) {
            if (admits(account)) {
                look(account);
            }
        }
        // Also those who hold nothing else.
        var _ = tenants.computeIfAbsent(newcomer, _ -> new Holdings());
    }

    public FairShares with(Iterable<Arrivals.Arrival> arrivals) {
        for (Arrivals.Arrival arrival : arrivals) {
            Holdings holdings = tenants.get(arrival.namespace());
            NodeUsage place = place(arrival.holding());
            if (holdings != null && place != null && admits(place)) {
                holdings.arrived = holdings.arrived.plus(requests(arrival.holding()));
            }
        }
        return this;
    }

    private static @Nullable NodeUsage place(PodEntry holding) {
        return holding.reservation == null ? holding.account : holding.reservation.node();
    }

    private static Amounts requests(PodEntry holding) {
        return holding.reservation == null ? holding.requests : holding.reservation.need();
    }

    /** Nodes of one shelf are alike for most pods, and asking each is dear. */
    private boolean admits(NodeUsage account) {
        NodeBucket shelf = account.shelf();
        if (shelf == null) {
            return false;
        }
        return stock.readsIndividually(constraints)
                ? account.admits(constraints)
                : admitting.computeIfAbsent(shelf, one -> one.admits(constraints));
    }

    private void look(NodeUsage account) {
        Amounts others = Amounts.NONE;
        Amounts own = Amounts.NONE;
        for (Reservation reservation : account.reservations()) {
            if (reservation.owner() instanceof ExpectedPod expected) {
                Holdings holdings = tenants.computeIfAbsent(expected.namespace(), _ -> new Holdings());
                holdings.unseen = holdings.unseen.plus(reservation.need());
                if (expected.namespace().equals(newcomer)) {
                    own = own.plus(reservation.need());
                } else {
                    others = others.plus(reservation.need());
                }
            }
        }
        pool = pool.plus(PodDemand.countable(account.free())).plus(own).plus(others);
        if (!others.isEmpty()) {
            contested.put(account, others);
        }
    }

    /** Who must leave one node so that {@code need} fits there; empty where nobody must. */
    public List<Reservation> givingWay(Amounts need) {
        Set<ResourceName> due = due(need);
        Places places = places(need);
        List<String> donors = donors(due, places);
        if (donors.isEmpty()) {
            return List.of();
        }
        // Whoever holds most gives first, if that is of any use.
        Leaving.Newcomer asking = new Leaving.Newcomer(need, due, places);
        List<Reservation> found = fewest(need, new Leaving(this, asking, Set.of(donors.getFirst())));
        return found.isEmpty() && donors.size() > 1
                ? fewest(need, new Leaving(this, asking, new HashSet<>(donors)))
                : found;
    }

    private Places places(Amounts need) {
        Places places = new Places(need);
        contested.forEach((account, others) -> {
            if (account.coversWith(others, need)) {
                places.add(account, newcomer, others);
            }
        });
        tenants.forEach((namespace, holdings) -> places.arrived(namespace, holdings.arrived));
        places.newcomerHas(newcomer, holdings(newcomer).unseen);
        return places;
    }

    /** Of these the newcomer has its share at most, with what it asks for. */
    private Set<ResourceName> due(Amounts need) {
        Set<ResourceName> due = new HashSet<>();
        need.forEach((name, amount) -> {
            Holdings own = holdings(newcomer);
            long then = own.unseen.get(name) + own.arrived.get(name) + amount;
            if (amount > 0 && then <= share(newcomer, name)) {
                due.add(name);
            }
        });
        return due;
    }

    /** What a namespace holds of {@code name} by decisions without a pod. */
    long unseen(String namespace, ResourceName name) {
        return holdings(namespace).unseen.get(name);
    }

    private Holdings holdings(String namespace) {
        return tenants.getOrDefault(namespace, new Holdings());
    }

    /**
     * What is free or held without a pod, and what the namespace has taken by pods that came a moment ago, divided by
     * those who take part. So a burst whose pods keep coming keeps what it was promised.
     */
    long share(String namespace, ResourceName name) {
        long together = pool.get(name) + holdings(namespace).arrived.get(name);
        return together / participants(name);
    }

    private long participants(ResourceName name) {
        long others = tenants.entrySet().stream()
                .filter(tenant -> !tenant.getKey().equals(newcomer)
                        && tenant.getValue().unseen.get(name) > 0)
                .count();
        return others + 1;
    }

    /** Those who hold more than their share of something that is due, the one with most for its share first. */
    private List<String> donors(Set<ResourceName> due, Places places) {
        Map<String, Double> excess = new HashMap<>();
        tenants.keySet().stream()
                .filter(places::isAbove)
                .forEach(namespace -> excess.put(namespace, places.excess(namespace)));
        for (ResourceName name : due) {
            tenants.forEach((namespace, holdings) -> {
                long unseen = holdings.unseen.get(name);
                long share = share(namespace, name);
                if (!namespace.equals(newcomer) && unseen > share) {
                    excess.merge(namespace, excess(unseen, share), Math::max);
                }
            });
        }
        return excess.keySet().stream()
                .sorted(Comparator.comparingDouble((String namespace) -> -excess.getOrDefault(namespace, 0.0))
                        .thenComparing(Comparator.naturalOrder()))
                .toList();
    }

    private static double excess(long held, long share) {
        return held / (double) Math.max(1, share);
    }

    /** Where the fewest must leave; of such nodes, where they are newest. */
    private List<Reservation> fewest(Amounts need, Leaving leavers) {
        List<Reservation> best = List.of();
        for (Map.Entry<NodeUsage, Amounts> node : contested.entrySet()) {
            NodeUsage account = node.getKey();
            if (account.coversWith(node.getValue(), need)) {
                List<Reservation> leaving = leavers.of(account);
                best = !leaving.isEmpty() && (best.isEmpty() || Leaving.COST.compare(leaving, best) < 0)
                        ? leaving
                        : best;
            }
        }
        return best;
    }
}
