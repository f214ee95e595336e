package dev.sluice.ledger;

import dev.sluice.cluster.ClusterGpuEvidence;
import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.PodEvent;
import dev.sluice.cluster.PodId;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.ledger.placement.PlacementDemand;
import dev.sluice.ledger.placement.PlacementNodeIndex;
import dev.sluice.ledger.placement.PlacementNodeUsage;
import dev.sluice.ledger.placement.PlacementReservation;
import dev.sluice.ledger.placement.PlacementReservation.ExistingPod;
import dev.sluice.ledger.placement.PlacementReservation.Promise;
import dev.sluice.ledger.placement.PlacementReservations;
import dev.sluice.ledger.placement.PlacementResourceVersions;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The pods that exist. The requests of bound pods are Allocated, and those of other pods are Reserved. When a list
 * ends, the pods that its pages did not contain are removed.
 */
final class LedgerPodEntries {

    private final PlacementNodeIndex index;
    private final PlacementReservations reservations;
    private final LedgerAssumedPods assumed;
    private final LedgerConfirmedPods recentlyConfirmed;
    private final LedgerPodTable entries = new LedgerPodTable();
    private final LedgerPodBudget budget = new LedgerPodBudget();
    private final PlacementResourceVersions<PodId> versions = new PlacementResourceVersions<>();
    private final LedgerDevicePluginPods plugins = new LedgerDevicePluginPods();

    private int currentList;
    /** The number of pods whose possible nodes are not known, so that nothing is reserved for them. */
    private int withUnknownPlace;
    /** The number of pods that appeared after their promise of capacity had been revoked. */
    private long late;

    public LedgerPodEntries(
            PlacementNodeIndex index,
            PlacementReservations reservations,
            LedgerAssumedPods assumed,
            LedgerConfirmedPods recentlyConfirmed) {
        this.index = index;
        this.reservations = reservations;
        this.assumed = assumed;
        this.recentlyConfirmed = recentlyConfirmed;
    }

    public int size() {
        return entries.size();
    }

    public int withUnknownPlace() {
        return withUnknownPlace;
    }

    public long late() {
        return late;
    }

    /** Returns the evidence that a device plugin for GPUs is installed; null if no pod of a device plugin is known. */
    public @Nullable ClusterGpuEvidence plugin() {
        return plugins.sign();
    }

    public void forEach(Consumer<LedgerPodEntry> action) {
        entries.forEach(action);
    }

    public void listStarted() {
        currentList++;
        reservations.listStarted();
    }

    /**
     * Starts a search for the known pods that the current list did not contain. The caller removes these pods with
     * {@link #removeUnlisted} before it calls {@link #listEnded}.
     */
    public LedgerUnlistedPods unlisted() {
        return new LedgerUnlistedPods(entries, currentList);
    }

    /** Removes at most {@code most} further pods that the search found. Returns true once all are removed. */
    public boolean removeUnlisted(LedgerUnlistedPods unlisted, int most) {
        reservations.together(unlisted.next(most), this::remove);
        return unlisted.isEmpty();
    }

    public void listEnded(long resourceVersion) {
        reservations.listEnded();
        versions.listed(resourceVersion);
    }

    public void seen(Pod pod) {
        if (isNews(pod.id(), pod.resourceVersion())) {
            put(pod);
        }
    }

    public void removed(PodEvent.PodRemoved removed) {
        if (!isNews(removed.id(), removed.resourceVersion())) {
            return;
        }
        versions.removed(removed.id(), removed.resourceVersion());
        LedgerPodEntry known = entries.get(removed.id());
        if (known != null) {
            remove(known);
        } else {
            forget(removed.stamp(), removed.namespace());
        }
    }

    public void bookmark(long resourceVersion) {
        versions.bookmark(resourceVersion);
    }

    private boolean isNews(PodId id, long version) {
        LedgerPodEntry known = entries.get(id);
        return versions.isNews(id, version, known == null ? 0 : known.version);
    }

    /** Stores the state of a pod. The pod comes from a list, or from an event that is newer than the stored state. */
    public void put(Pod pod) {
        LedgerPodEntry before = entries.get(pod.id());
        if (pod.isDevicePlugin()) {
            plugins.add(pod);
        }
        switch (pod.place()) {
            case Pod.Place.Bound(String node) -> bound(known(before, pod), node, pod);
            case Pod.Place.Unbound unbound -> {
                LedgerPodEntry entry = known(before, pod);
                NodeConstraints constraints = budget.take(unbound.constraints(), isPromised(entry));
                if (constraints == null) {
                    unknownPlace(entry, pod);
                } else {
                    unbound(entry, new Pod.Place.Unbound(constraints, unbound.nominated()), pod);
                }
            }
            case Pod.Place.UnknownPlace _ -> unknownPlace(known(before, pod), pod);
            case Pod.Place.Gated _ -> gated(before, pod);
        }
    }

    private static boolean isPromised(LedgerPodEntry entry) {
        return entry.reservation != null && entry.reservation.promise() != Promise.NOTHING;
    }

    private LedgerPodEntry known(@Nullable LedgerPodEntry before, Pod pod) {
        LedgerPodEntry entry = before;
        if (entry == null) {
            entry = new LedgerPodEntry(pod.id(), Amounts.NONE);
            entry.reservation = confirmed(entry, pod);
            entries.add(entry);
        } else if (isUnknown(entry)) {
            withUnknownPlace--;
        }
        entry.version = pod.resourceVersion();
        entry.list = currentList;
        return entry;
    }

    private @Nullable PlacementReservation confirmed(LedgerPodEntry entry, Pod pod) {
        LedgerAssumedPod assumedPod = assumed.confirm(pod.stamp(), pod.namespace());
        if (assumedPod == null) {
            return null;
        }
        recentlyConfirmed.add(entry, assumedPod);
        PlacementReservation reservation = assumedPod.reservation();
        late += reservation.promise() == Promise.GAVE_WAY ? 1 : 0;
        boolean nothingIsLeft = assumedPod.isLapsed() && reservation.promise() == Promise.NOTHING;
        return nothingIsLeft ? null : reservation;
    }

    private void bound(LedgerPodEntry entry, String node, Pod pod) {
        Amounts requests = counted(entry, PlacementDemand.countable(pod.requests()));
        PlacementNodeUsage before = entry.node;
        int priority = pod.priority().value();
        if (before != null
                && before.name().equals(node)
                && entry.requests.equals(requests)
                && entry.priority == priority) {
            return;
        }
        index.sees(priority);
        PlacementNodeUsage usage = index.usage(node);
        usage.allocate(requests, priority);
        if (before != null) {
            before.deallocate(entry.requests, entry.priority);
        }
        entry.priority = priority;
        PlacementReservation reservation = entry.reservation;
        entry.node = usage;
        entry.requests = requests;
        entry.reservation = null;
        entry.name = requests.anyMatch(LedgerPodEntries::isDevice) ? pod.name() : null;
        releaseConstraints(reservation);
        PlacementNodeUsage left = before;
        if (reservation != null) {
            left = reservation.node();
            var _ = reservations.unplace(reservation);
        }
        // The new node of the pod is settled first, and its old node afterwards. Reservations that are evicted from the
        // new node can then move to the old node. In the other order, pending reservations would take the capacity of
        // the old node.
        reservations.settle(usage);
        if (left != null && left != usage) {
            reservations.settle(left);
        }
    }

    private static boolean isDevice(ResourceName name, long amount) {
        return amount > 0 && name.isExtended();
    }

    private static boolean isUnknown(LedgerPodEntry entry) {
        return entry.node == null && entry.reservation == null;
    }

    /**
     * Returns the part of {@code requests} that is counted for the pod from now on, within the limits of the
     * {@link LedgerPodBudget}.
     */
    private Amounts counted(LedgerPodEntry entry, Amounts requests) {
        PlacementReservation reservation = entry.reservation;
        Amounts before = reservation != null && isSeen(reservation) ? reservation.need() : entry.requests;
        return budget.count(requests, before, this::isNodeResource);
    }

    private boolean isNodeResource(ResourceName name) {
        return !name.isExtended() || name.equals(ResourceName.NVIDIA_GPU) || index.isDevice(name);
    }

    private void releaseConstraints(@Nullable PlacementReservation reservation) {
        if (reservation != null && isSeen(reservation)) {
            budget.giveBack(reservation.constraints());
        }
    }

    /**
     * Returns true if the watch has shown the pod of the reservation. Only such pods count in the
     * {@link LedgerPodBudget}.
     */
    private static boolean isSeen(PlacementReservation reservation) {
        return reservation.owner() instanceof ExistingPod;
    }

    /** Counts a pod as pending and reserves nothing for it, because its possible nodes are unknown. */
    private void unknownPlace(LedgerPodEntry entry, Pod pod) {
        var _ = counted(entry, Amounts.NONE);
        release(entry);
        PlacementReservation reservation = entry.reservation;
        if (reservation != null) {
            releaseConstraints(reservation);
            entry.reservation = null;
            reservations.remove(reservation);
        }
        entry.name = pod.name();
        withUnknownPlace++;
    }

    /**
     * Reserves resources for a pod that is not bound. The caller has already counted the pod's constraints in the
     * {@link LedgerPodBudget}.
     */
    private void unbound(LedgerPodEntry entry, Pod.Place.Unbound place, Pod pod) {
        PlacementDemand demand = new PlacementDemand(
                counted(entry, PlacementDemand.countable(pod.requests())),
                place.constraints(),
                place.nominated(),
                pod.priority());
        release(entry);
        entry.name = pod.name();
        PlacementReservation reservation = entry.reservation;
        releaseConstraints(reservation);
        if (reservation == null) {
            entry.reservation = new PlacementReservation(new ExistingPod(pod.name()), Promise.NOTHING, demand);
            reservations.add(entry.reservation);
        } else {
            reservation.confirm(new ExistingPod(pod.name()));
            if (reservation.promise() == Promise.GAVE_WAY) {
                reservations.renewPromise(reservation);
            }
            reservations.resize(reservation, demand);
        }
    }

    /**
     * Removes the pod from its node, if it is bound. The API server never unbinds a pod, but the ledger accepts such an
     * event, too.
     */
    private void release(LedgerPodEntry entry) {
        PlacementNodeUsage usage = entry.node;
        if (usage != null) {
            usage.deallocate(entry.requests, entry.priority);
            entry.node = null;
            entry.requests = Amounts.NONE;
            reservations.settle(usage);
        }
    }

    /**
     * Removes a pod with a scheduling gate from the ledger. The scheduler does not place such a pod, so it needs no
     * reservation.
     */
    private void gated(@Nullable LedgerPodEntry before, Pod pod) {
        if (before != null) {
            remove(before);
        }
        forget(pod.stamp(), pod.namespace());
    }

    /** Ends the decision for a pod that the watch has shown and that needs no reservation. */
    private void forget(String stamp, String namespace) {
        LedgerAssumedPod assumedPod = assumed.confirm(stamp, namespace);
        if (assumedPod != null) {
            reservations.remove(assumedPod.reservation());
        }
    }

    private void remove(LedgerPodEntry entry) {
        entries.remove(entry);
        plugins.remove(entry);
        withUnknownPlace -= isUnknown(entry) ? 1 : 0;
        var _ = counted(entry, Amounts.NONE);
        releaseConstraints(entry.reservation);
        recentlyConfirmed.remove(entry);
        if (entry.reservation != null) {
            reservations.remove(entry.reservation);
        }
        release(entry);
    }
}
