package dev.sluice.ledger;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.sluice.cluster.ClusterEvent;
import dev.sluice.cluster.ClusterGpuEvidence;
import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.NodeEvent;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.PodEvent;
import dev.sluice.cluster.PodPriority;
import dev.sluice.cluster.dra.DraState;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.ledger.placement.PlacementDemand;
import dev.sluice.ledger.placement.PlacementDeviceUsage;
import dev.sluice.ledger.placement.PlacementNodeIndex;
import dev.sluice.ledger.placement.PlacementNodeUsage;
import dev.sluice.ledger.placement.PlacementNodes;
import dev.sluice.ledger.placement.PlacementOrigin;
import dev.sluice.ledger.placement.PlacementRequest;
import dev.sluice.ledger.placement.PlacementReservation;
import dev.sluice.ledger.placement.PlacementReservations;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Holds the state of the cluster and all decisions, and computes from them what is Available: Allocatable − Allocated −
 * Reserved. The ledger is mutable; one thread owns it and applies the events in their order.
 */
public final class Ledger {

    /**
     * The maximum duration of a CREATE request. By default, a decision keeps its reservation for at least this long if
     * its pod does not appear.
     */
    public static final Duration LONGEST_CREATE = LedgerAssumedPods.LONGEST_CREATE;

    private final Duration longestCreate;
    private final PlacementNodes nodes = new PlacementNodes();
    private final PlacementNodeIndex index = new PlacementNodeIndex();
    private final PlacementReservations reservations = new PlacementReservations(index);
    private final LedgerAssumedPods assumed;
    private final LedgerConfirmedPods recentlyConfirmed = new LedgerConfirmedPods();
    private final LedgerPodEntries pods;

    private LedgerAudit audit = new LedgerAudit();
    private LedgerStatistics.AuditDifference auditDifference = LedgerStatistics.AuditDifference.NONE;
    private Instant syncedUpTo = Instant.MIN;
    /** The last time at which the API server did not answer. */
    private Instant doubtedAt = Instant.MIN;

    private boolean answerIsLate;

    private Instant nodesSyncedUpTo = Instant.MIN;
    private LedgerStatistics.DecisionCounts decisions = LedgerStatistics.DecisionCounts.NONE;
    private long turns;
    /**
     * A DaemonSet that runs a device plugin for GPUs. It is evidence that the cluster has GPUs. Null if no such
     * DaemonSet is known.
     */
    private @Nullable ClusterGpuEvidence installed;
    /** The fair shares of the namespaces, as they were computed last; null if the ledger has changed since then. */
    private @Nullable LedgerFairShares shares;
    /**
     * The result of the last search for overdue decisions; null if the ledger has changed since then. A decision is
     * overdue if the watch should have shown its pod by now.
     */
    private @Nullable OverdueFor overdue;
    /**
     * The resources that no pod may get at the moment, see {@link #isWithheld}; null if the ledger has changed since
     * they were computed.
     */
    private @Nullable Set<ResourceName> withheld;
    /**
     * The work that is still to be done after the last page of a list of pods; null if there is none. While it is not
     * null, no event may be applied.
     */
    private @Nullable LedgerListEnding ending;

    /**
     * Receives the stamp (identifier) and the namespace of each decision that ended because its pod did not appear in
     * time.
     */
    private BiConsumer<String, String> expiryListener = (_, _) -> {};

    public Ledger() {
        this(LONGEST_CREATE);
    }

    /** @param longestCreate the minimum time that a decision keeps its reservation if its pod does not appear */
    public Ledger(Duration longestCreate) {
        this.longestCreate = longestCreate;
        this.assumed = new LedgerAssumedPods(longestCreate);
        this.pods = new LedgerPodEntries(index, reservations, assumed, recentlyConfirmed);
    }

    public Duration longestCreate() {
        return longestCreate;
    }

    private record OverdueFor(PlacementRequest preemptor, Instant now, LedgerOverdueDecisions decisions) {
        boolean isFor(PlacementRequest other, Instant moment) {
            return preemptor.namespace().equals(other.namespace())
                    && preemptor.origin().equals(other.origin())
                    && preemptor.constraints().equals(other.constraints())
                    && preemptor.priority().equals(other.priority())
                    && now.equals(moment);
        }
    }

    /** Returns the snapshot of a cluster with only these nodes. */
    public static ClusterSnapshot snapshotOf(List<Node> nodes) {
        return PlacementNodes.snapshotOf(nodes);
    }

    /**
     * Applies one event. Returns true if the event has changed the content of {@link #snapshot()}, so that the caller
     * must publish a new one.
     */
    public boolean apply(ClusterEvent event) {
        changed();
        return switch (event) {
            case NodeEvent node -> applyNode(node);
            case PodEvent pod -> {
                applyPod(pod);
                yield showPlugin();
            }
        };
    }

    /** Replaces the state of DRA in this ledger. The caller must publish a new {@link #snapshot()}. */
    public void offer(DraState state) {
        changed();
        List<String> changed = nodes.offer(state.supply());
        // The state of DRA is replaced before the nodes are updated, because the amounts of the nodes are computed from
        // this state.
        List<PlacementNodeUsage> claimed = index.replace(state);
        index.update(nodes, changed).forEach(reservations::nodeChanged);
        claimed.forEach(reservations::nodeChanged);
    }

    /** Drops the cached results that are invalid after a change of the ledger. */
    private void changed() {
        shares = null;
        overdue = null;
        withheld = null;
    }

    /**
     * Records that this DaemonSet is a device plugin for GPUs. Only a ledger that is filled from a file needs this
     * method.
     */
    public void installed(ClusterGpuEvidence daemonSet) {
        installed = daemonSet;
        showPlugin();
    }

    @CanIgnoreReturnValue
    private boolean showPlugin() {
        ClusterGpuEvidence pod = pods.plugin();
        return nodes.shows(pod == null ? installed : pod);
    }

    private boolean applyNode(NodeEvent event) {
        boolean changed = nodes.apply(event);
        if (changed) {
            index.update(nodes, event).forEach(reservations::nodeChanged);
        }
        switch (event) {
            case NodeEvent.NodesSyncedUpTo(Instant moment) -> nodesSyncedUpTo = moment;
            case NodeEvent.NodeListEnded ended -> nodesSyncedUpTo = ended.asOf();
            case NodeEvent _ -> {}
        }
        return changed;
    }

    private void applyPod(PodEvent event) {
        switch (event) {
            case PodEvent.ListBegun _ -> {
                audit = new LedgerAudit();
                pods.listStarted();
            }
            case PodEvent.PodsPage page ->
                page.pods().forEach(pod -> {
                    // The pod is added to the audit first. If the ledger then fails to count the pod, the audit shows
                    // that the pod is missing.
                    audit.add(pod);
                    pods.put(pod);
                });
            case PodEvent.ListEnded ended -> {
                beginToEnd(ended);
                while (!proceed()) {}
            }
            case PodEvent.PodSeen seen -> pods.seen(seen.pod());
            case PodEvent.PodRemoved removed -> pods.removed(removed);
            case PodEvent.PodsBookmark mark -> pods.bookmark(mark.resourceVersion());
            case PodEvent.PodsSyncedUpTo(Instant moment) -> advance(moment);
        }
    }

    /**
     * Prepares the work that is due at the end of a list of pods. The caller then calls {@link #proceed} until the work
     * is done, so that no single call takes long. {@link #apply} does all the work at once.
     */
    public void beginToEnd(PodEvent.ListEnded event) {
        ending = new LedgerListEnding(event, pods, audit.against(index, pods));
    }

    /**
     * Does a few milliseconds of the work that {@link #beginToEnd} has prepared. Returns true once all work is done.
     * The caller must then publish a new {@link #snapshot()} if {@link #hasChangedSince} is true.
     */
    public boolean proceed() {
        if (ending == null) {
            return true;
        }
        changed();
        if (!ending.proceed()) {
            return false;
        }
        pods.listEnded(ending.event().resourceVersion());
        auditDifference = ending.difference();
        listed(ending.event().asOf());
        ending = null;
        showPlugin();
        return true;
    }

    /**
     * Updates {@link #syncedUpTo} after a list.
     *
     * @param asOf the time up to which the list contains every change; {@link Instant#MIN} if the list may be older
     *     than the state that it replaces
     */
    private void listed(Instant asOf) {
        if (asOf.equals(Instant.MIN)) {
            syncedUpTo = Instant.MIN;
        } else {
            advance(asOf);
        }
    }

    /**
     * Removes the decisions whose pods can no longer appear.
     *
     * @param moment the time up to which the watch has shown all stored pods
     */
    private void advance(Instant moment) {
        syncedUpTo = syncedUpTo.isAfter(moment) ? syncedUpTo : moment;
        List<PlacementReservation> expired = assumed.expire(syncedUpTo);
        reservations.together(expired, reservations::remove);
        for (PlacementReservation reservation : expired) {
            if (reservation.owner() instanceof PlacementReservation.ExpectedPod pod) {
                expiryListener.accept(pod.stamp(), pod.namespace());
            }
        }
    }

    /**
     * Sets the listener for decisions whose pods did not appear in time. The listener receives the stamp and the
     * namespace of each of these decisions.
     */
    public void onExpiry(BiConsumer<String, String> listener) {
        expiryListener = listener;
    }

    /**
     * Records that the API server did not answer at this time. The ledger may then lack pods that the API server has
     * stored. Until {@link #syncedUpTo} reaches this time, this ledger chooses no decisions for preemption, and
     * {@link #passTime} does nothing.
     */
    public void doubt(Instant moment) {
        doubtedAt = doubtedAt.isAfter(moment) ? doubtedAt : moment;
    }

    /**
     * Records whether a request to the API server is overdue.
     *
     * @param isLate true if the answer is so late that the API server may be unreachable. While this is true, the
     *     ledger chooses no decisions for preemption, and {@link #passTime} does nothing
     */
    public void awaitAnswer(boolean isLate) {
        answerIsLate = isLate;
    }

    private boolean mayLackPods() {
        return answerIsLate || syncedUpTo.isBefore(doubtedAt);
    }

    /** Returns true once the first list of nodes is complete. */
    public boolean knowsNodes() {
        return nodes.isSynced();
    }

    /**
     * Returns the time up to which the ledger knows all pods: every change that the API server stored before this time
     * has been applied. It is {@link Instant#MIN} before the first complete list, and after a list that may be older
     * than the state it replaced.
     */
    public Instant syncedUpTo() {
        return syncedUpTo;
    }

    /**
     * Returns the time up to which the ledger knows all nodes, with the same meaning as {@link #syncedUpTo} for pods.
     */
    public Instant nodesSyncedUpTo() {
        return nodesSyncedUpTo;
    }

    /** Returns true if a new snapshot could lead to other decisions than this one. */
    public boolean hasChangedSince(ClusterSnapshot snapshot) {
        return nodes.generation() != snapshot.generation();
    }

    /** Returns an immutable copy of the nodes: their Allocatable, labels and taints. */
    public ClusterSnapshot snapshot() {
        return nodes.snapshot();
    }

    /**
     * Returns true if some node has {@code need} Available and the scheduler could bind a pod with these constraints to
     * it now.
     */
    public boolean isFree(Amounts need, NodeConstraints constraints) {
        return !isWithheld(need)
                && index.find(PlacementDemand.countable(need), constraints).isPresent();
    }

    /** Returns true if a pod fits on a node with DRA devices when its devices of unknown state count as free. */
    public boolean mayBeFree(Amounts need, NodeConstraints constraints) {
        return index.mayFind(PlacementDemand.countable(need), constraints);
    }

    /**
     * Returns true if {@link #isFree} would be true after the preemption of all pods that a pod with {@code priority}
     * may preempt.
     */
    public boolean isFreeByPriority(Amounts need, NodeConstraints constraints, PodPriority priority) {
        return !isWithheld(need)
                && index.findByPreemption(PlacementDemand.countable(need), constraints, priority)
                        .isPresent();
    }

    /**
     * Returns true if {@code need} contains a device that this ledger must not give to any pod at the moment.
     *
     * <p>Such a device is promised to a pod by another replica, but this ledger finds no node for that pod. This means
     * that this ledger still counts a pod that has ended. The node of that pod is unknown. Therefore all devices of
     * this kind are withheld, at most until the watch shows the pod to which the device was promised.
     */
    private boolean isWithheld(Amounts need) {
        if (!assumed.hasFollowed()) {
            return false;
        }
        Set<ResourceName> names = withheld;
        if (names == null) {
            Set<ResourceName> found = new HashSet<>();
            reservations
                    .pending()
                    .filter(reservation -> reservation.isPromised() && assumed.isFollowed(reservation))
                    .forEach(reservation -> reservation.need().forEach((name, _) -> found.add(name)));
            withheld = found;
            names = found;
        }
        Set<ResourceName> lacking = names;
        return !lacking.isEmpty()
                && need.anyMatch((name, amount) -> amount > 0 && name.isExtended() && lacking.contains(name));
    }

    /**
     * Returns true if {@link #assume} could make room for this pod by preempting the reservations of other decisions.
     */
    public boolean isFreeByPreemption(PlacementRequest preemptor, Instant now) {
        return !victims(preemptor, now).isEmpty();
    }

    private List<PlacementReservation> victims(PlacementRequest preemptor, Instant now) {
        if (mayLackPods() || isWithheld(preemptor.need())) {
            return List.of();
        }
        List<PlacementReservation> late = overdueVictims(preemptor, now);
        return late.isEmpty() && othersAreAssumed(preemptor.namespace()) ? fairVictims(preemptor, now) : late;
    }

    private List<PlacementReservation> overdueVictims(PlacementRequest preemptor, Instant now) {
        if (!assumed.mayBeOverdue(now)) {
            return List.of();
        }
        OverdueFor known = overdue;
        if (known == null || !known.isFor(preemptor, now)) {
            known = new OverdueFor(preemptor, now, new LedgerOverdueDecisions(index, assumed.overdue(now), preemptor));
            overdue = known;
        }
        return known.decisions().victims(PlacementDemand.countable(preemptor.need()));
    }

    private List<PlacementReservation> fairVictims(PlacementRequest preemptor, Instant now) {
        LedgerFairShares known = shares;
        if (known == null || !known.areFor(preemptor, now)) {
            known = new LedgerFairShares(index, preemptor, recentlyConfirmed, now);
            shares = known;
        }
        return known.victims(PlacementDemand.countable(preemptor.need()));
    }

    /** Returns false if there is certainly no decision that can be preempted for a pod of this namespace. */
    public boolean mayPreempt(String namespace, Instant now) {
        return !mayLackPods() && (assumed.mayBeOverdue(now) || othersAreAssumed(namespace));
    }

    private boolean othersAreAssumed(String namespace) {
        return assumed.sizeOfOthers(namespace) > 0;
    }

    /**
     * Reserves resources for the pod of a decision. If capacity was promised to the pod and no node has enough, this
     * method preempts other decisions. It preempts decisions whose pods are overdue, or else decisions of namespaces
     * that use more than their share.
     */
    @CanIgnoreReturnValue
    public LedgerAssumeResult assume(PlacementRequest decided, Instant now) {
        forget(decided.stamp());
        endNamed(decided.namespace(), decided.origin().name());
        Optional<LedgerNotReservedReason> blockedBy = assumed.blockedBy(decided);
        if (blockedBy.isPresent()) {
            decisions = decisions.plusNotReserved(blockedBy.get().cause(), 1);
            return new LedgerAssumeResult(blockedBy, List.of());
        }
        List<PlacementReservation> evicted = assumed.evictFor(decided);
        decisions = decisions.plusNotReserved(LedgerNotReservedReason.ALL, evicted.size());
        evicted.forEach(reservations::remove);
        changed();
        PlacementReservation reservation = PlacementReservation.of(decided, ++turns);
        boolean preempts = decided.promised()
                && !isFree(decided.need(), decided.constraints())
                && !isFreeByPriority(decided.need(), decided.constraints(), decided.priority())
                && mayPreempt(decided.namespace(), now);
        List<PlacementReservation> victims = preempts ? victims(decided, now) : List.of();
        changed();
        assumed.assume(decided, reservation, now);
        decisions = decisions.plusPreempted(victims.size());
        return new LedgerAssumeResult(Optional.empty(), LedgerPreemption.preempt(victims, reservation, reservations));
    }

    /**
     * Reserves resources for a decision of another replica. That replica has chosen which other decisions are
     * preempted, and has checked the limits of memory. This ledger repeats the changes of that replica, so that both
     * ledgers stay equal. If the watch has already shown the pod, this ledger reserves nothing.
     *
     * @param preempted the stamps (identifiers) of the decisions that were preempted
     */
    public void assumeAsDecided(PlacementRequest decided, List<String> preempted, Instant now) {
        forget(decided.stamp());
        endNamed(decided.namespace(), decided.origin().name());
        if (assumed.isBeyondLimit()) {
            decisions = decisions.plusNotReserved(LedgerNotReservedReason.ALL, 1);
            return;
        }
        changed();
        PlacementReservation reservation = PlacementReservation.of(decided, ++turns);
        List<PlacementReservation> victims = preempted.stream()
                .map(assumed::reserved)
                .flatMap(Optional::stream)
                .toList();
        assumed.follow(decided, reservation, now);
        decisions = decisions.plusPreempted(victims.size());
        if (assumed.wasSeen(decided.stamp())) {
            var _ = assumed.confirm(decided.stamp(), decided.namespace());
            LedgerPreemption.giveWay(victims, reservations);
        } else {
            var _ = LedgerPreemption.preempt(victims, reservation, reservations);
        }
    }

    /**
     * Records that a review was decided again with the new stamp (identifier) {@code by}. The API server may have
     * received either answer. Therefore a pod with the older stamp takes the reservation of the new decision.
     */
    public void replaced(String stamp, String by) {
        assumed.replaced(stamp, by);
    }

    /** Removes the decision with this stamp, unless the watch has already shown its pod. */
    public void forget(String stamp) {
        LedgerAssumedPod pod = assumed.forget(stamp);
        if (pod != null) {
            changed();
            reservations.remove(pod.reservation());
        }
    }

    /**
     * Replaces the decision with this stamp by a new decision about the same pod. No pending pod can take the capacity
     * in between.
     *
     * @param decision a function that makes the new decision
     */
    public <T> T decideAgain(String stamp, Supplier<T> decision) {
        T made = reservations.together(() -> {
            forget(stamp);
            return decision.get();
        });
        changed();
        return made;
    }

    /**
     * Records that the gateway repeats an answer, because the API server has repeated the review. The pod may then
     * appear later. Returns false if there is no such decision, or if its capacity was released in the meantime. The
     * caller must then call {@link #decideAnew}.
     */
    public boolean answerAgain(String stamp, String namespace, Instant now) {
        overdue = null;
        return assumed.answerAgain(stamp, namespace, now);
    }

    /**
     * Makes a new decision for a repeated review, because the previous answer is no longer known or no longer valid.
     * The new decision may use the capacity that the previous decision has reserved. If the new decision reserves
     * nothing, the previous reservation stays, because the API server may have received the previous answer.
     *
     * @param stamp the stamp (identifier) of the previous decision
     * @param replaces a function that returns true if the new decision has reserved something
     */
    public <T> T decideAnew(String stamp, Instant now, Supplier<T> decision, Predicate<T> replaces) {
        T made = reservations.together(() -> {
            LedgerAssumedPod former = assumed.forget(stamp);
            if (former != null) {
                changed();
                reservations.remove(former.reservation());
            }
            T result = decision.get();
            if (former != null && !replaces.test(result)) {
                assumed.keep(former, now);
                if (!former.isLapsed()) {
                    reservations.add(former.reservation());
                }
            }
            return result;
        });
        changed();
        return made;
    }

    /**
     * Releases the reservation of the previous decision about a pod with this name. The caller calls this method when a
     * new pod with the same name is reviewed: the previous pod was then refused or deleted. Returns false if there is
     * no previous decision.
     */
    @CanIgnoreReturnValue
    public boolean endNamed(String namespace, String name) {
        LedgerAssumedPod older = assumed.named(namespace, name);
        if (older == null) {
            return false;
        }
        lapse(older);
        return true;
    }

    /**
     * Records that Sluice has denied a pod. The ledger uses denials to find refused pods: a controller that creates
     * pods in batches has received all answers to earlier batches when it creates the next pod.
     */
    public void denied(String namespace, PlacementOrigin origin, Instant now) {
        assumed.denied(namespace, origin, now);
    }

    /**
     * Releases the reservations of pods that were refused: their controller has created pods of a later batch, but the
     * watch has not shown them. Also revokes the promise of capacity to overdue pods that need the preemption of other
     * pods. The owner of the ledger calls this method regularly.
     */
    public void passTime(Instant now) {
        if (mayLackPods()) {
            return;
        }
        assumed.takeEnded(now).forEach(this::lapse);
        List<PlacementReservation> preemptors = assumed.overduePreemptors(now);
        if (!preemptors.isEmpty()) {
            changed();
            LedgerPreemption.giveWay(preemptors, reservations);
            decisions = decisions.plusPreempted(preemptors.size());
        }
    }

    /**
     * Releases the reservation of a decision whose pod was refused. If the pod appears later nevertheless,
     * {@link LedgerPodEntries} restores the promise of capacity.
     */
    private void lapse(LedgerAssumedPod pod) {
        if (!pod.isLapsed()) {
            changed();
            reservations.remove(pod.reservation());
            pod.lapse();
            decisions = decisions.plusReplaced();
        }
    }

    /** Returns true if this namespace has a decision with this stamp and the watch has not shown the pod yet. */
    public boolean isAssumed(String stamp, String namespace) {
        return assumed.get(stamp, namespace) != null;
    }

    /**
     * Returns the resources of a decision while the API server may still be creating its pod. Returns empty if
     * {@link #isAssumed} is false, or if the longest time of a CREATE request has passed.
     */
    public Optional<Amounts> inFlight(String stamp, String namespace, Instant now) {
        return Optional.ofNullable(assumed.get(stamp, namespace))
                .filter(pod -> now.isBefore(pod.assumedAt().plus(longestCreate)))
                .map(pod -> pod.reservation().need());
    }

    /**
     * Returns the usage of each device, added up over all nodes.
     *
     * @param mostNodes if more nodes than this have devices, the result contains only the sums, and not the usage by
     *     node
     */
    public LedgerClusterDevices devices(int mostNodes) {
        return new LedgerClusterDevices(index.deviceTotals(), index.devicesByNode(mostNodes));
    }

    /** Returns a new map with the usage of each known node. */
    public Map<String, LedgerNodeUsage> usage() {
        Map<String, LedgerNodeUsage> byNode = HashMap.newHashMap(index.usages().size());
        for (PlacementNodeUsage usage : index.usages()) {
            if (usage.node() != null) {
                byNode.put(usage.name(), new LedgerNodeUsage(usage.inUse(), usage.reserved(), usage.allocated()));
            }
        }
        return byNode;
    }

    /**
     * Returns the usage of three kinds of pods, in no particular order: bound pods that use devices, pods that are not
     * bound, and decisions whose pods the watch has not shown yet.
     */
    public List<LedgerPodUsage> podUsages() {
        List<LedgerPodUsage> all = new ArrayList<>();
        pods.forEach(entry -> {
            if (entry.name != null) {
                all.add(LedgerPodUsage.of(entry, entry.name));
            }
        });
        assumed.forEach(reservation -> all.add(LedgerPodUsage.of(reservation)));
        return all;
    }

    /**
     * Returns pods that use the same resources as the pods and decisions of this ledger. Another ledger with these pods
     * and the same nodes has the same free resources. The pods of a node that use no devices are combined into one pod
     * for each priority.
     */
    public List<Pod> copyOfPods() {
        LedgerCopy copy = new LedgerCopy();
        pods.forEach(copy::add);
        assumed.forEach(copy::add);
        return copy.pods();
    }

    /** Returns how many of {@code device} are Available, summed over all nodes. Cordoned nodes are included. */
    public long freeOf(ResourceName device) {
        return index.freeOf(device);
    }

    /**
     * Returns true if it is unknown how many of {@code device} are free. This is only possible if DRA provides them.
     */
    public boolean isFreeUncertain(ResourceName device) {
        return index.isFreeUncertain(device);
    }

    /** Returns the usage of {@code device} on the nodes that would accept a pod with these constraints now. */
    public PlacementDeviceUsage usableNow(ResourceName device, NodeConstraints constraints) {
        return index.usableNow(device, constraints);
    }

    /**
     * Returns the number of decisions and pods that are placed on no node. Unlike {@link #statistics}, leaves out those
     * that fit when DRA devices of unknown state count as free.
     */
    public long unplaced() {
        return pods.withUnknownPlace() + reservations.pendingWithout(index.mayFit());
    }

    public LedgerStatistics statistics() {
        List<PlacementReservation> pending = reservations.pending().toList();
        long evicted = pending.stream().filter(PlacementReservation::isPromised).count();
        return new LedgerStatistics(
                pods.size(),
                assumed.size(),
                pods.withUnknownPlace() + pending.size(),
                evicted,
                reservations.evictions(),
                auditDifference,
                decisions.with(assumed.bytes(), pods.late()));
    }
}
