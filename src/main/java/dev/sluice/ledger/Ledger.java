package dev.sluice.ledger;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.sluice.cluster.ClusterEvent;
import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.NodeEvent;
import dev.sluice.cluster.PodEvent;
import dev.sluice.cluster.PodPriority;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.ledger.placement.AssumeRequest;
import dev.sluice.ledger.placement.NodeIndex;
import dev.sluice.ledger.placement.NodeLedger;
import dev.sluice.ledger.placement.NodeUsage;
import dev.sluice.ledger.placement.PodDemand;
import dev.sluice.ledger.placement.Reservation;
import dev.sluice.ledger.placement.Reservations;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The state of the cluster and the decisions: Allocatable, Allocated and Reserved, and with them what is Available. It
 * is mutable, and its one owner applies the events in their order.
 */
public final class Ledger {

    /** How long a decision whose pod does not appear keeps its reservation, at least. */
    public static final Duration LONGEST_CREATE = AssumedPods.LONGEST_CREATE;

    private final Duration longestCreate;
    private final NodeLedger nodes = new NodeLedger();
    private final NodeIndex index = new NodeIndex();
    private final Reservations reservations = new Reservations(index);
    private final AssumedPods assumed;
    private final RecentlyConfirmed recentlyConfirmed = new RecentlyConfirmed();
    private final PodEntries pods;

    private Audit audit = new Audit();
    private LedgerStatistics.AuditDifference auditDifference = LedgerStatistics.AuditDifference.NONE;
    private Instant syncedUpTo = Instant.MIN;
    private Instant nodesSyncedUpTo = Instant.MIN;
    private LedgerStatistics.DecisionCounts decisions = LedgerStatistics.DecisionCounts.NONE;
    private long turns;
    /** Null once something has changed. */
    private @Nullable FairShares shares;
    /** For the last preemptor; null once something has changed. */
    private @Nullable OverdueFor overdue;
    /** Null while no list of pods ends. No event may be applied before it has ended. */
    private @Nullable ListEnding ending;

    public Ledger() {
        this(LONGEST_CREATE);
    }

    /** @param longestCreate how long a decision whose pod does not appear keeps its reservation, at least */
    public Ledger(Duration longestCreate) {
        this.longestCreate = longestCreate;
        this.assumed = new AssumedPods(longestCreate);
        this.pods = new PodEntries(index, reservations, assumed, recentlyConfirmed);
    }

    public Duration longestCreate() {
        return longestCreate;
    }

    private record OverdueFor(AssumeRequest preemptor, Instant now, OverdueDecisions decisions) {
        boolean isFor(AssumeRequest other, Instant moment) {
            return preemptor.namespace().equals(other.namespace())
                    && preemptor.origin().equals(other.origin())
                    && preemptor.constraints().equals(other.constraints())
                    && now.equals(moment);
        }
    }

    /** The snapshot of a cluster that has just these nodes. */
    public static ClusterSnapshot snapshotOf(List<Node> nodes) {
        return NodeLedger.snapshotOf(nodes);
    }

    /** Returns whether a new {@link #snapshot()} is due, because what nodes offer has changed. */
    public boolean apply(ClusterEvent event) {
        changed();
        return switch (event) {
            case NodeEvent node -> applyNode(node);
            case PodEvent pod -> {
                applyPod(pod);
                yield false;
            }
        };
    }

    /** What was known of decisions that may give way is no longer true. */
    private void changed() {
        shares = null;
        overdue = null;
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
                audit = new Audit();
                pods.listStarted();
            }
            case PodEvent.PodsPage page ->
                page.pods().forEach(pod -> {
                    // The audit comes first, so that it finds a pod missing that cannot be counted.
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

    /** As {@link #apply}, for an owner that others wait for: {@link #proceed} does the work. */
    public void beginToEnd(PodEvent.ListEnded event) {
        ending = new ListEnding(event, pods, audit.against(index, pods));
    }

    /** Does a few milliseconds of the work at the end of a list. Returns true once nothing is left to do. */
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
        return true;
    }

    /** After a list that may be older than what it replaces, nothing is synced. */
    private void listed(Instant asOf) {
        if (asOf.equals(Instant.MIN)) {
            syncedUpTo = Instant.MIN;
        } else {
            advance(asOf);
        }
    }

    /** Decisions expire whose pods would have been seen by now. */
    private void advance(Instant moment) {
        syncedUpTo = syncedUpTo.isAfter(moment) ? syncedUpTo : moment;
        reservations.together(() -> assumed.expire(syncedUpTo).forEach(reservations::remove));
    }

    /** False until the first complete list of nodes. */
    public boolean knowsNodes() {
        return nodes.isSynced();
    }

    /**
     * Every change of a pod that was stored before this moment was applied. It is {@link Instant#MIN} until the first
     * complete list, and after one that may be older than what it replaced.
     */
    public Instant syncedUpTo() {
        return syncedUpTo;
    }

    /** As {@link #syncedUpTo}, for nodes. */
    public Instant nodesSyncedUpTo() {
        return nodesSyncedUpTo;
    }

    /** What nodes offer. */
    public ClusterSnapshot snapshot() {
        return nodes.snapshot();
    }

    /** Whether some node has this much Available and the scheduler could bind such a pod to it now. */
    public boolean isFree(Amounts need, NodeConstraints constraints) {
        return index.find(PodDemand.countable(need), constraints).isPresent();
    }

    /** As {@link #isFree}, if all pods of lower priority that such a pod may preempt were gone. */
    public boolean isFreeByPriority(Amounts need, NodeConstraints constraints, PodPriority priority) {
        return index.findByPreemption(PodDemand.countable(need), constraints, priority)
                .isPresent();
    }

    /** Whether {@link #assume} would preempt others for such a pod. */
    public boolean isFreeByPreemption(AssumeRequest preemptor, Instant now) {
        return !victims(preemptor, now).isEmpty();
    }

    private List<Reservation> victims(AssumeRequest preemptor, Instant now) {
        List<Reservation> late = overdueVictims(preemptor, now);
        return late.isEmpty() && othersAreAssumed(preemptor.namespace()) ? fairVictims(preemptor, now) : late;
    }

    private List<Reservation> overdueVictims(AssumeRequest preemptor, Instant now) {
        if (!assumed.mayBeOverdue(now)) {
            return List.of();
        }
        OverdueFor known = overdue;
        if (known == null || !known.isFor(preemptor, now)) {
            known = new OverdueFor(preemptor, now, new OverdueDecisions(index, assumed.overdue(now), preemptor));
            overdue = known;
        }
        return known.decisions().victims(PodDemand.countable(preemptor.need()));
    }

    private List<Reservation> fairVictims(AssumeRequest preemptor, Instant now) {
        FairShares known = shares;
        if (known == null || !known.areFor(preemptor, now)) {
            known = new FairShares(index, preemptor, recentlyConfirmed, now);
            shares = known;
        }
        return known.victims(PodDemand.countable(preemptor.need()));
    }

    /** False only if no decision would give way to a pod of this namespace. */
    public boolean mayPreempt(String namespace, Instant now) {
        return assumed.mayBeOverdue(now) || othersAreAssumed(namespace);
    }

    private boolean othersAreAssumed(String namespace) {
        return assumed.sizeOfOthers(namespace) > 0;
    }

    /**
     * Reserves what was decided for a pod that may be seen with this stamp. If it was promised room and none is free,
     * it preempts decisions whose pods are overdue, or those of namespaces that have more than their share.
     */
    @CanIgnoreReturnValue
    public AssumeResult assume(AssumeRequest decided, Instant now) {
        forget(decided.stamp());
        endNamed(decided.namespace(), decided.origin().name());
        Optional<NotReserved> blockedBy = assumed.blockedBy(decided);
        if (blockedBy.isPresent()) {
            decisions = decisions.plusNotReserved(blockedBy.get().cause(), 1);
            return new AssumeResult(blockedBy, List.of());
        }
        List<Reservation> evicted = assumed.evictFor(decided);
        decisions = decisions.plusNotReserved(NotReserved.ALL, evicted.size());
        evicted.forEach(reservations::remove);
        changed();
        Reservation reservation = Reservation.of(decided, ++turns);
        boolean preempts = decided.promised()
                && !isFree(decided.need(), decided.constraints())
                && !isFreeByPriority(decided.need(), decided.constraints(), decided.priority())
                && mayPreempt(decided.namespace(), now);
        List<Reservation> victims = preempts ? victims(decided, now) : List.of();
        changed();
        assumed.assume(decided, reservation, now);
        decisions = decisions.plusPreempted(victims.size());
        return new AssumeResult(Optional.empty(), Preemption.preempt(victims, reservation, reservations));
    }

    /** Ends the decision of this stamp, unless its pod was seen. */
    public void forget(String stamp) {
        AssumedPod pod = assumed.forget(stamp);
        if (pod != null) {
            changed();
            reservations.remove(pod.reservation());
        }
    }

    /**
     * Ends the decision of this stamp as {@link #forget} does, and makes another one of its pod. Until that is made,
     * pods that wait do not get the room of the first.
     */
    public <T> T decideAgain(String stamp, Supplier<T> decision) {
        List<T> made = new ArrayList<>(1);
        reservations.together(() -> {
            forget(stamp);
            made.add(decision.get());
        });
        changed();
        return made.getFirst();
    }

    /** A pod with this name is created anew, so that an earlier one of the name was refused or is gone. */
    public void endNamed(String namespace, String name) {
        AssumedPod older = assumed.named(namespace, name);
        if (older != null) {
            lapse(older);
        }
    }

    /** To be called now and then: ends decisions whose pods were refused, as newer decisions show. */
    public void passTime(Instant now) {
        assumed.takeEnded(now).forEach(this::lapse);
    }

    /** Its room is given up. If the pod appears nevertheless, its promise holds again. */
    private void lapse(AssumedPod pod) {
        if (!pod.isLapsed()) {
            changed();
            reservations.remove(pod.reservation());
            pod.lapse();
            decisions = decisions.plusReplaced();
        }
    }

    /** Whether a decision in this namespace has this stamp, and its pod was not seen yet. */
    public boolean isAssumed(String stamp, String namespace) {
        return assumed.get(stamp, namespace) != null;
    }

    /** What is reserved for it if it {@link #isAssumed}, and the API server may still be creating the pod. */
    public Optional<Amounts> inFlight(String stamp, String namespace, Instant now) {
        return Optional.ofNullable(assumed.get(stamp, namespace))
                .filter(pod -> now.isBefore(pod.assumedAt().plus(longestCreate)))
                .map(pod -> pod.reservation().need());
    }

    /** The webhook was invoked again for a pod that other webhooks may have changed since. */
    public void reassume(AssumeRequest decided, Instant now) {
        AssumedPod pod = assumed.get(decided.stamp(), decided.namespace());
        if (pod != null) {
            changed();
            if (pod.isLapsed()) {
                endNamed(pod.namespace(), pod.origin().name());
                reservations.restore(pod.reservation());
            }
            assumed.askedAgain(pod, now);
            reservations.resizeInPlace(
                    pod.reservation(), new PodDemand(decided.need(), decided.constraints(), null, decided.priority()));
        }
    }

    /** What nodes have of each device; of single nodes too if at most {@code mostNodes} have any. */
    public ClusterDevices devices(int mostNodes) {
        return new ClusterDevices(index.deviceTotals(), index.devicesByNode(mostNodes));
    }

    /** The usage of each known node, in a map of the caller's own. */
    public Map<String, Usage> usage() {
        Map<String, Usage> byNode = HashMap.newHashMap(index.usages().size());
        for (NodeUsage usage : index.usages()) {
            if (usage.node() != null) {
                byNode.put(usage.name(), new Usage(usage.allocated(), usage.reserved()));
            }
        }
        return byNode;
    }

    /** Bound pods that take devices, pods that are not bound, and decisions whose pods were not seen, in no order. */
    public List<PodUsage> podUsages() {
        List<PodUsage> all = new ArrayList<>();
        pods.forEach(entry -> {
            if (entry.name != null) {
                all.add(PodUsage.of(entry, entry.name));
            }
        });
        assumed.forEach(reservation -> all.add(PodUsage.of(reservation)));
        return all;
    }

    /** How many of {@code device} are Available on all nodes together, whether or not a pod may have them now. */
    public long freeOf(ResourceName device) {
        return index.freeOf(device);
    }

    public LedgerStatistics statistics() {
        List<Reservation> pending = reservations.pending().toList();
        long evicted = pending.stream().filter(Reservation::isPromised).count();
        return new LedgerStatistics(
                pods.size(),
                assumed.size(),
                pods.withUnknownPlace() + pending.size(),
                evicted + reservations.overcommitted(),
                reservations.evictions(),
                auditDifference,
                decisions.with(assumed.bytes(), pods.late()));
    }
}
