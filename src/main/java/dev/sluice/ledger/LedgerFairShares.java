package dev.sluice.ledger;

import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.ledger.placement.PlacementDemand;
import dev.sluice.ledger.placement.PlacementNodeBucket;
import dev.sluice.ledger.placement.PlacementNodeIndex;
import dev.sluice.ledger.placement.PlacementNodeUsage;
import dev.sluice.ledger.placement.PlacementRequest;
import dev.sluice.ledger.placement.PlacementReservation;
import dev.sluice.ledger.placement.PlacementReservation.ExpectedPod;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the reservations that are preempted for a pod (the preemptor), so that its namespace gets its fair share. Only
 * reservations of other namespaces are preempted. Only the nodes that the preemptor may use are shared. The result is
 * valid until the ledger changes.
 *
 * <p>Decision 10 of the documentation describes the rule and its reasons.
 */
final class LedgerFairShares {

    /**
     * The resources that one namespace uses. {@code expected} is reserved for pods that the watch has not shown yet.
     * {@code confirmed} is used by pods that were decided recently and that the watch has shown.
     */
    private static final class TenantUsage {
        private Amounts expected = Amounts.NONE;
        private Amounts confirmed = Amounts.NONE;
    }

    private final PlacementNodeIndex index;
    private final String preemptor;
    private final NodeConstraints constraints;
    private final Instant now;
    private final Map<PlacementNodeBucket, Boolean> admitting = new HashMap<>();
    private final Map<String, TenantUsage> tenants = new HashMap<>();
    /**
     * Maps each node to the resources that other namespaces than the preemptor's have reserved there. Only reservations
     * for pods that the watch has not shown yet are counted.
     */
    private final Map<PlacementNodeUsage, Amounts> contested = new HashMap<>();
    /**
     * The sum of two amounts on all nodes that the preemptor may use: what is free, and what is reserved for pods that
     * the watch has not shown yet.
     */
    private Amounts pool = Amounts.NONE;

    private final Map<ResourceName, Long> participants = new HashMap<>();

    public LedgerFairShares(
            PlacementNodeIndex index, PlacementRequest preemptor, LedgerConfirmedPods recentlyConfirmed, Instant now) {
        this.index = index;
        this.preemptor = preemptor.namespace();
        this.constraints = preemptor.constraints();
        this.now = now;
        for (PlacementNodeUsage usage : index.usages()) {
            if (admits(usage)) {
                countNode(usage);
            }
        }
        var _ = tenants.computeIfAbsent(this.preemptor, _ -> new TenantUsage());
        recentlyConfirmed.recent(now).forEach(pod -> count(pod.namespace(), pod.entry()));
    }

    /** Returns true if these shares are also valid for the decision {@code other} at the time {@code moment}. */
    public boolean areFor(PlacementRequest other, Instant moment) {
        return preemptor.equals(other.namespace()) && constraints.equals(other.constraints()) && now.equals(moment);
    }

    private void count(String namespace, LedgerPodEntry pod) {
        TenantUsage tenant = tenants.get(namespace);
        PlacementNodeUsage node = node(pod);
        if (tenant != null && node != null && admits(node)) {
            tenant.confirmed = tenant.confirmed.plus(requests(pod));
        }
    }

    private static @Nullable PlacementNodeUsage node(LedgerPodEntry entry) {
        return entry.reservation == null ? entry.node : entry.reservation.node();
    }

    private static Amounts requests(LedgerPodEntry entry) {
        return entry.reservation == null ? entry.requests : entry.reservation.need();
    }

    /**
     * Returns true if the preemptor may use the node. To save time, only one node of each bucket (a group of like
     * nodes) is checked. All nodes are checked if the pod's constraints can treat nodes of the same bucket differently.
     */
    private boolean admits(PlacementNodeUsage usage) {
        PlacementNodeBucket bucket = usage.bucket();
        if (bucket == null) {
            return false;
        }
        return index.readsIndividually(constraints)
                ? usage.admits(constraints)
                : admitting.computeIfAbsent(bucket, any -> any.admits(constraints));
    }

    private void countNode(PlacementNodeUsage usage) {
        Amounts others = Amounts.NONE;
        Amounts own = Amounts.NONE;
        for (PlacementReservation reservation : usage.reservations()) {
            // Reservations that need preemption by the scheduler are not counted. The preempted pods still use the
            // resources, and keep them if the reservation ends.
            if (reservation.owner() instanceof ExpectedPod expected && !reservation.isPreemptor()) {
                TenantUsage tenant = tenants.computeIfAbsent(expected.namespace(), _ -> new TenantUsage());
                tenant.expected = tenant.expected.plus(reservation.need());
                if (expected.namespace().equals(preemptor)) {
                    own = own.plus(reservation.need());
                } else {
                    others = others.plus(reservation.need());
                }
            }
        }
        pool = pool.plus(PlacementDemand.countable(usage.free())).plus(own).plus(others);
        if (!others.isEmpty()) {
            contested.put(usage, others);
        }
    }

    /**
     * Returns reservations on one node whose preemption makes room for {@code need} there; empty if there is no such
     * node.
     */
    public List<PlacementReservation> victims(Amounts need) {
        Set<ResourceName> due = due(need);
        LedgerPreemptionSlots slots = slots(need);
        List<String> donors = donors(due, slots);
        if (donors.isEmpty()) {
            return List.of();
        }
        // First, only reservations of the namespace with the largest excess are tried. If these do not make enough
        // room, reservations of all namespaces above their share are tried together.
        LedgerPreemption.Preemptor pod = new LedgerPreemption.Preemptor(need, due, slots);
        List<PlacementReservation> found = cheapest(need, new LedgerPreemption(this, pod, Set.of(donors.getFirst())));
        return found.isEmpty() && donors.size() > 1
                ? cheapest(need, new LedgerPreemption(this, pod, new HashSet<>(donors)))
                : found;
    }

    private LedgerPreemptionSlots slots(Amounts need) {
        LedgerPreemptionSlots slots = new LedgerPreemptionSlots(need);
        contested.forEach((usage, others) -> {
            if (usage.coversWith(others, need)) {
                slots.add(usage, preemptor, others);
            }
        });
        tenants.forEach((namespace, tenant) -> slots.confirmed(namespace, tenant.confirmed));
        slots.preemptorHas(preemptor, usage(preemptor).expected);
        return slots;
    }

    /**
     * Returns the resources of {@code need} that the preemptor's namespace is entitled to: even with {@code need}, the
     * namespace uses no more than its share of them.
     */
    private Set<ResourceName> due(Amounts need) {
        Set<ResourceName> due = new HashSet<>();
        need.forEach((name, amount) -> {
            TenantUsage own = usage(preemptor);
            long then = Amounts.saturatedSum(own.expected.plus(own.confirmed).get(name), amount);
            if (amount > 0 && then <= share(preemptor, name)) {
                due.add(name);
            }
        });
        return due;
    }

    /** Returns how much of {@code name} is reserved for pods of the namespace that the watch has not shown yet. */
    long expected(String namespace, ResourceName name) {
        return usage(namespace).expected.get(name);
    }

    private TenantUsage usage(String namespace) {
        return tenants.getOrDefault(namespace, new TenantUsage());
    }

    /**
     * Returns the namespace's fair share of {@code name}: the sum of three amounts, divided by the number of
     * {@link #participants}. The amounts are the free amount, the amount reserved for pods that the watch has not shown
     * yet, and the amount that recently shown pods of this namespace use. Without the last amount, a namespace that
     * creates many pods at once would lose promised capacity while its pods appear.
     */
    long share(String namespace, ResourceName name) {
        long together =
                Amounts.saturatedSum(pool.get(name), usage(namespace).confirmed.get(name));
        return together / participants.computeIfAbsent(name, this::participants);
    }

    /**
     * Returns the number of namespaces that share {@code name}: the preemptor's namespace, and each other namespace
     * that has reserved some of it for pods that the watch has not shown yet.
     */
    private long participants(ResourceName name) {
        long others = tenants.entrySet().stream()
                .filter(tenant -> !tenant.getKey().equals(preemptor)
                        && tenant.getValue().expected.get(name) > 0)
                .count();
        return others + 1;
    }

    /**
     * Returns the namespaces that have reserved more than their share of a resource in {@code due} or of {@code slots}.
     * The namespace with the largest excess comes first.
     */
    private List<String> donors(Set<ResourceName> due, LedgerPreemptionSlots slots) {
        Map<String, Double> excess = new HashMap<>();
        tenants.keySet().stream()
                .filter(slots::isAbove)
                .forEach(namespace -> excess.put(namespace, slots.excess(namespace)));
        for (ResourceName name : due) {
            tenants.forEach((namespace, tenant) -> {
                long expected = tenant.expected.get(name);
                long share = share(namespace, name);
                if (!namespace.equals(preemptor) && expected > share) {
                    excess.merge(namespace, excess(expected, share), Math::max);
                }
            });
        }
        return excess.keySet().stream()
                .sorted(Comparator.comparingDouble((String namespace) -> -excess.getOrDefault(namespace, 0.0))
                        .thenComparing(Comparator.naturalOrder()))
                .toList();
    }

    private static double excess(long amount, long share) {
        return amount / (double) Math.max(1, share);
    }

    /**
     * Returns the reservations to preempt on the node where preemption has the lowest {@link LedgerPreemption#COST}.
     * Returns empty if preemption makes enough room on no node.
     */
    private List<PlacementReservation> cheapest(Amounts need, LedgerPreemption preemption) {
        List<PlacementReservation> best = List.of();
        for (Map.Entry<PlacementNodeUsage, Amounts> node : contested.entrySet()) {
            PlacementNodeUsage usage = node.getKey();
            if (usage.coversWith(node.getValue(), need)) {
                List<PlacementReservation> victims = preemption.victimsOn(usage);
                best = !victims.isEmpty() && (best.isEmpty() || LedgerPreemption.COST.compare(victims, best) < 0)
                        ? victims
                        : best;
            }
        }
        return best;
    }
}
