package dev.sluice.ledger;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.sluice.event.ClusterEvent;
import dev.sluice.event.NodeEvent;
import dev.sluice.event.PodEvent;
import dev.sluice.ledger.fairshare.FairShares;
import dev.sluice.ledger.fairshare.Preemption;
import dev.sluice.ledger.nodeindex.AssumeRequest;
import dev.sluice.ledger.nodeindex.NodeIndex;
import dev.sluice.ledger.nodeindex.NodeLedger;
import dev.sluice.ledger.nodeindex.NodeUsage;
import dev.sluice.ledger.nodeindex.PodDemand;
import dev.sluice.ledger.nodeindex.Reservation;
import dev.sluice.ledger.podentry.AssumedPods;
import dev.sluice.ledger.podentry.NotReserved;
import dev.sluice.ledger.podentry.PodEntries;
import dev.sluice.ledger.podentry.PodEntry;
import dev.sluice.ledger.podentry.RecentlyConfirmed;
import dev.sluice.ledger.reservation.Reservations;
import dev.sluice.node.Node;
import dev.sluice.quantity.Amounts;
import dev.sluice.quantity.ResourceName;
import dev.sluice.scheduling.NodeConstraints;
import dev.sluice.snapshot.ClusterSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Everything that is known of the cluster and everything that was promised: Allocatable, Allocated, Reserved, and with
 * them what is Available. Mutable, with one owner, who tells it events in their order.
 */
public final class Ledger {

    /** What a cluster of just these nodes looks like to a decision. */
    public static ClusterSnapshot snapshotOf(List<Node> nodes) {
        return NodeLedger.snapshotOf(nodes);
    }

    /** How long a decision whose pod is not seen holds its reservation. */
    public static final Duration LONGEST_CREATE = AssumedPods.LONGEST_CREATE;

    private final NodeLedger nodes = new NodeLedger();
    private final NodeIndex index = new NodeIndex();
    private final Reservations reservations = new Reservations(index);
    private final AssumedPods assumed = new AssumedPods();
    private final RecentlyConfirmed recentlyConfirmed = new RecentlyConfirmed();
    private final PodEntries pods = new PodEntries(index, reservations, assumed, recentlyConfirmed);

    private Audit audit = new Audit();
    private AuditDifference auditDifference = AuditDifference.NONE;
    private Instant syncedUpTo = Instant.MIN;
    private Instant nodesSyncedUpTo = Instant.MIN;
    private DecisionCounts decisions = DecisionCounts.NONE;
    private long turns;
    /** What was found out last of who holds how much; null once something has changed since. */
    private @Nullable Shares shares;

    private record Shares(String newcomer, NodeConstraints constraints, Instant now, FairShares fair) {}

    /** True when what nodes offer has changed, so that a new {@link #snapshot()} is due. */
    public boolean apply(ClusterEvent event) {
        shares = null;
        return switch (event) {
            case NodeEvent node -> applyNode(node);
            case PodEvent pod -> {
                applyPod(pod);
                yield false;
            }
        };
    }

    private boolean applyNode(NodeEvent event) {
        if (event instanceof NodeEvent.NodesSyncedUpTo(Instant moment)) {
            nodesSyncedUpTo = moment;
        }
        boolean changed = nodes.apply(event);
        if (changed) {
            index.update(nodes, subject(event)).forEach(reservations::nodeChanged);
        }
        return changed;
    }

    /** The one node of which the event speaks; null where it speaks of all. */
    private static @Nullable String subject(NodeEvent event) {
        return switch (event) {
            case NodeEvent.NodeSeen seen -> seen.node().name();
            case NodeEvent.NodeRemoved removed -> removed.name();
            case NodeEvent.NodesListed _, NodeEvent.NodesBookmark _, NodeEvent.NodesSyncedUpTo _ -> null;
        };
    }

    private void applyPod(PodEvent event) {
        switch (event) {
            case PodEvent.ListBegun _ -> {
                audit = new Audit();
                pods.listStarted();
            }
            case PodEvent.PodsPage page ->
                page.pods().forEach(pod -> {
                    // First, so that one that cannot be counted is found missing.
                    audit.add(pod);
                    pods.listed(pod);
                });
            case PodEvent.ListEnded ended -> {
                pods.listEnded(ended.resourceVersion());
                auditDifference = audit.against(index, pods);
                listed(ended.asOf());
            }
            case PodEvent.PodSeen seen -> pods.seen(seen.pod());
            case PodEvent.PodRemoved removed -> pods.removed(removed);
            case PodEvent.PodsBookmark mark -> pods.bookmark(mark.resourceVersion());
            case PodEvent.PodsSyncedUpTo told -> syncedUpTo(told.moment());
        }
    }

    /** A list that may be older than what it replaces takes back what was told before. */
    private void listed(Instant asOf) {
        if (asOf.equals(Instant.MIN)) {
            syncedUpTo = Instant.MIN;
        } else {
            syncedUpTo(asOf);
        }
    }

    /** Decisions whose pods would have been seen by now have come to nothing. */
    private void syncedUpTo(Instant moment) {
        syncedUpTo = syncedUpTo.isAfter(moment) ? syncedUpTo : moment;
        reservations.together(() -> {
            Optional<Reservation> expired = assumed.expireNext(syncedUpTo);
            while (expired.isPresent()) {
                reservations.remove(expired.get());
                expired = assumed.expireNext(syncedUpTo);
            }
        });
    }

    /** False until the first complete list of nodes. */
    public boolean knowsNodes() {
        return nodes.isSynced();
    }

    /**
     * Every pod that was stored before this moment has been told; {@link Instant#MIN} until the first complete list,
     * and after one that may be older than what it replaced.
     */
    public Instant syncedUpTo() {
        return syncedUpTo;
    }

    /** The same of nodes. */
    public Instant nodesSyncedUpTo() {
        return nodesSyncedUpTo;
    }

    /** What nodes offer. */
    public ClusterSnapshot snapshot() {
        return nodes.snapshot();
    }

    /** Some node has this much Available and the scheduler would place such a pod there now. */
    public boolean isFree(Amounts need, NodeConstraints constraints) {
        return index.find(PodDemand.countable(need), constraints).isPresent();
    }

    /**
     * As {@link #isFree}, for a pod of {@code newcomer}, if others gave way who hold more than their fair share by
     * decisions of which no pod was seen. Nobody does so yet.
     */
    public boolean isFreeByPreemption(AssumeRequest newcomer, Instant now) {
        Amounts need = PodDemand.countable(newcomer.need());
        return !fair(newcomer.namespace(), newcomer.constraints(), now)
                .victims(need)
                .isEmpty();
    }

    private FairShares fair(String newcomer, NodeConstraints constraints, Instant now) {
        Shares known = shares;
        if (known == null
                || !known.newcomer().equals(newcomer)
                || !known.constraints().equals(constraints)
                || !known.now().equals(now)) {
            FairShares fair = new FairShares(index, newcomer, constraints).with(recentlyConfirmed.recent(now));
            known = new Shares(newcomer, constraints, now, fair);
            shares = known;
        }
        return known.fair();
    }

    /** Other namespaces than this one have decisions whose pods were not seen yet. */
    public boolean othersAreAssumed(String namespace) {
        return assumed.sizeOfOthers(namespace) > 0;
    }

    /**
     * Reserves what was decided for a pod that will be seen with this stamp, if it ever comes. Where it was told that
     * there is room and none is free, others give way who hold more than their share.
     */
    @CanIgnoreReturnValue
    public AssumeResult assume(AssumeRequest decided, Instant now) {
        forget(decided.stamp());
        Optional<NotReserved> blockedBy = assumed.blockedBy(decided);
        if (blockedBy.isPresent()) {
            decisions = decisions.plusNotReserved(blockedBy.get().cause(), 1);
            return new AssumeResult(blockedBy, List.of());
        }
        List<Reservation> yielding = assumed.evictFor(decided);
        decisions = decisions.plusNotReserved(NotReserved.ALL, yielding.size());
        yielding.forEach(reservations::remove);
        shares = null;
        Reservation reservation = Reservation.of(decided, ++turns);
        List<Reservation> givingWay = decided.room() ? victims(reservation, decided, now) : List.of();
        shares = null;
        assumed.assume(decided, reservation, now);
        Preemption.preempt(givingWay, reservation, reservations);
        decisions = decisions.plusPreempted(givingWay.size());
        return new AssumeResult(
                Optional.empty(), givingWay.stream().map(Ledger::stamp).toList());
    }

    private List<Reservation> victims(Reservation reservation, AssumeRequest decided, Instant now) {
        return index.find(reservation.need(), decided.constraints()).isPresent()
                        || !othersAreAssumed(decided.namespace())
                ? List.of()
                : fair(decided.namespace(), decided.constraints(), now).victims(reservation.need());
    }

    private static String stamp(Reservation reservation) {
        return reservation.owner() instanceof Reservation.ExpectedPod expected ? expected.stamp() : "";
    }

    /** As if nothing had been decided for the pod of this stamp; one that was seen is not concerned. */
    public void forget(String stamp) {
        AssumedPods.AssumedPod given = assumed.forget(stamp);
        if (given != null) {
            shares = null;
            reservations.remove(given.reservation());
        }
    }

    /** This stamp was given in this namespace, and no pod with it was seen yet. */
    public boolean isAssumed(String stamp, String namespace) {
        return assumed.get(stamp, namespace) != null;
    }

    /** As {@link #isAssumed}, and the API server may still be at work on the pod. */
    public boolean isInFlight(String stamp, String namespace, Instant now) {
        AssumedPods.AssumedPod given = assumed.get(stamp, namespace);
        return given != null && now.isBefore(given.assumedAt().plus(LONGEST_CREATE));
    }

    /** The pod comes again with its stamp, changed by others: it takes what it has now. */
    public void reassume(AssumeRequest decided) {
        AssumedPods.AssumedPod known = assumed.get(decided.stamp(), decided.namespace());
        if (known != null) {
            shares = null;
            reservations.resizeInPlace(known.reservation(), new PodDemand(decided.need(), decided.constraints(), null));
        }
    }

    /** By node, for those that are known. */
    public Map<String, Usage> usage() {
        Map<String, Usage> byNode = HashMap.newHashMap(index.usages().size());
        for (NodeUsage usage : index.usages()) {
            if (usage.node() != null) {
                byNode.put(usage.name(), new Usage(usage.allocated(), usage.reserved()));
            }
        }
        return byNode;
    }

    /**
     * The pods that hold devices of a node, those that are not bound, and decisions of which no pod was seen; in no
     * order.
     */
    public List<PodUsage> podUsages() {
        List<PodUsage> holders = new ArrayList<>();
        pods.forEach(entry -> {
            if (entry.name != null) {
                holders.add(podUsage(entry, entry.name));
            }
        });
        assumed.forEach(reservation -> holders.add(podUsage(reservation)));
        return holders;
    }

    private static PodUsage podUsage(PodEntry entry, String name) {
        return entry.reservation == null
                ? new PodUsage(name, entry.node == null ? null : entry.node.name(), null, entry.requests)
                : podUsage(entry.reservation);
    }

    private static PodUsage podUsage(Reservation reservation) {
        NodeUsage node = reservation.node();
        return new PodUsage(reservation.owner().name(), null, node == null ? null : node.name(), reservation.need());
    }

    /**
     * How many of {@code device} are Available on all nodes together, as {@code capacity} adds it up; whether a pod may
     * have them now is not asked here.
     */
    public long freeOf(ResourceName device) {
        return index.freeOf(device);
    }

    /** How this stands at the moment, for those who watch it. */
    public LedgerStatistics statistics() {
        long unplaced = pods.withUnknownPlace();
        long broken = 0;
        for (Reservation reservation : reservations.pending().toList()) {
            unplaced++;
            broken += reservation.isPromised() ? 1 : 0;
        }
        long overcommitted = broken + reservations.overcommitted();
        return new LedgerStatistics(
                pods.size(),
                assumed.size(),
                unplaced,
                overcommitted,
                reservations.evictions(),
                auditDifference,
                decisions.withBytes(assumed.bytes()));
    }
}
