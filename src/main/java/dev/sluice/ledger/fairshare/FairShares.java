package dev.sluice.ledger.fairshare;

import dev.sluice.ledger.nodeindex.NodeBucket;
import dev.sluice.ledger.nodeindex.NodeIndex;
import dev.sluice.ledger.nodeindex.NodeUsage;
import dev.sluice.ledger.nodeindex.PodDemand;
import dev.sluice.ledger.nodeindex.Reservation;
import dev.sluice.ledger.nodeindex.Reservation.ExpectedPod;
import dev.sluice.ledger.podentry.PodEntry;
import dev.sluice.ledger.podentry.RecentlyConfirmed;
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
    private static final class TenantUsage {
        private Amounts expected = Amounts.NONE;
        private Amounts confirmed = Amounts.NONE;
    }

    private final NodeIndex index;
    private final String preemptor;
    private final NodeConstraints constraints;
    private final Map<NodeBucket, Boolean> admitting = new HashMap<>();
    private final Map<String, TenantUsage> tenants = new HashMap<>();
    /** With what there is to share: nodes on which others than the newcomer hold something. */
    private final Map<NodeUsage, Amounts> contested = new HashMap<>();
    /** What is free, and what is held without a pod. */
    private Amounts pool = Amounts.NONE;

    public FairShares(NodeIndex index, String newcomer, NodeConstraints constraints) {
        this.index = index;
        this.preemptor = newcomer;
        this.constraints = constraints;
        for (NodeUsage usage : index.usages()) {
            if (admits(usage)) {
                count(usage);
            }
        }
        // Also those who hold nothing else.
        var _ = tenants.computeIfAbsent(newcomer, _ -> new TenantUsage());
    }

    public FairShares with(Iterable<RecentlyConfirmed.ConfirmedPod> arrivals) {
        for (RecentlyConfirmed.ConfirmedPod arrival : arrivals) {
            TenantUsage used = tenants.get(arrival.namespace());
            NodeUsage place = place(arrival.entry());
            if (used != null && place != null && admits(place)) {
                used.confirmed = used.confirmed.plus(requests(arrival.entry()));
            }
        }
        return this;
    }

    private static @Nullable NodeUsage place(PodEntry entry) {
        return entry.reservation == null ? entry.node : entry.reservation.node();
    }

    private static Amounts requests(PodEntry entry) {
        return entry.reservation == null ? entry.requests : entry.reservation.need();
    }

    /** Nodes of one bucket are same for most pods, and asking each is dear. */
    private boolean admits(NodeUsage usage) {
        NodeBucket bucket = usage.bucket();
        if (bucket == null) {
            return false;
        }
        return index.readsIndividually(constraints)
                ? usage.admits(constraints)
                : admitting.computeIfAbsent(bucket, one -> one.admits(constraints));
    }

    private void count(NodeUsage usage) {
        Amounts others = Amounts.NONE;
        Amounts own = Amounts.NONE;
        for (Reservation reservation : usage.reservations()) {
            if (reservation.owner() instanceof ExpectedPod expected) {
                TenantUsage used = tenants.computeIfAbsent(expected.namespace(), _ -> new TenantUsage());
                used.expected = used.expected.plus(reservation.need());
                if (expected.namespace().equals(preemptor)) {
                    own = own.plus(reservation.need());
                } else {
                    others = others.plus(reservation.need());
                }
            }
        }
        pool = pool.plus(PodDemand.countable(usage.free())).plus(own).plus(others);
        if (!others.isEmpty()) {
            contested.put(usage, others);
        }
    }

    /** Who must leave one node so that {@code need} fits there; empty where nobody must. */
    public List<Reservation> victims(Amounts need) {
        Set<ResourceName> due = due(need);
        PodSlots places = slots(need);
        List<String> donors = donors(due, places);
        if (donors.isEmpty()) {
            return List.of();
        }
        // Whoever holds most gives first, if that is of any use.
        Preemption.Preemptor asking = new Preemption.Preemptor(need, due, places);
        List<Reservation> found = fewest(need, new Preemption(this, asking, Set.of(donors.getFirst())));
        return found.isEmpty() && donors.size() > 1
                ? fewest(need, new Preemption(this, asking, new HashSet<>(donors)))
                : found;
    }

    private PodSlots slots(Amounts need) {
        PodSlots places = new PodSlots(need);
        contested.forEach((usage, others) -> {
            if (usage.coversWith(others, need)) {
                places.add(usage, preemptor, others);
            }
        });
        tenants.forEach((namespace, used) -> places.confirmed(namespace, used.confirmed));
        places.preemptorHas(preemptor, usage(preemptor).expected);
        return places;
    }

    /** Of these the newcomer has its share at most, with what it asks for. */
    private Set<ResourceName> due(Amounts need) {
        Set<ResourceName> due = new HashSet<>();
        need.forEach((name, amount) -> {
            TenantUsage own = usage(preemptor);
            long then = own.expected.get(name) + own.confirmed.get(name) + amount;
            if (amount > 0 && then <= share(preemptor, name)) {
                due.add(name);
            }
        });
        return due;
    }

    /** What a namespace holds of {@code name} by decisions without a pod. */
    long expected(String namespace, ResourceName name) {
        return usage(namespace).expected.get(name);
    }

    private TenantUsage usage(String namespace) {
        return tenants.getOrDefault(namespace, new TenantUsage());
    }

    /**
     * What is free or held without a pod, and what the namespace has taken by pods that came a moment ago, divided by
     * those who take part. So a burst whose pods keep coming keeps what it was promised.
     */
    long share(String namespace, ResourceName name) {
        long together = pool.get(name) + usage(namespace).confirmed.get(name);
        return together / participants(name);
    }

    private long participants(ResourceName name) {
        long others = tenants.entrySet().stream()
                .filter(tenant -> !tenant.getKey().equals(preemptor)
                        && tenant.getValue().expected.get(name) > 0)
                .count();
        return others + 1;
    }

    /** Those who hold more than their share of something that is due, the one with most for its share first. */
    private List<String> donors(Set<ResourceName> due, PodSlots places) {
        Map<String, Double> excess = new HashMap<>();
        tenants.keySet().stream()
                .filter(places::isAbove)
                .forEach(namespace -> excess.put(namespace, places.excess(namespace)));
        for (ResourceName name : due) {
            tenants.forEach((namespace, used) -> {
                long unseen = used.expected.get(name);
                long share = share(namespace, name);
                if (!namespace.equals(preemptor) && unseen > share) {
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
    private List<Reservation> fewest(Amounts need, Preemption leavers) {
        List<Reservation> best = List.of();
        for (Map.Entry<NodeUsage, Amounts> node : contested.entrySet()) {
            NodeUsage usage = node.getKey();
            if (usage.coversWith(node.getValue(), need)) {
                List<Reservation> leaving = leavers.victimsOn(usage);
                best = !leaving.isEmpty() && (best.isEmpty() || Preemption.COST.compare(leaving, best) < 0)
                        ? leaving
                        : best;
            }
        }
        return best;
    }
}
