package dev.sluice.ledger;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.sluice.event.ClusterEvent;
import dev.sluice.event.NodeEvent;
import dev.sluice.event.PodEvent;
import dev.sluice.ledger.fairshare.FairShares;
import dev.sluice.ledger.fairshare.Leaving;
import dev.sluice.ledger.nodeindex.AssumeRequest;
import dev.sluice.ledger.nodeindex.NodeIndex;
import dev.sluice.ledger.nodeindex.NodeLedger;
import dev.sluice.ledger.nodeindex.NodeUsage;
import dev.sluice.ledger.nodeindex.PodDemand;
import dev.sluice.ledger.nodeindex.Reservation;
import dev.sluice.ledger.podentry.Arrivals;
import dev.sluice.ledger.podentry.AssumedPods;
import dev.sluice.ledger.podentry.NotKept;
import dev.sluice.ledger.podentry.PodEntries;
import dev.sluice.ledger.podentry.PodEntry;
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
    private final NodeIndex stock = new NodeIndex();
    private final Reservations reservations = new Reservations(stock);
    private final AssumedPods stamps = new AssumedPods();
    private final Arrivals arrivals = new Arrivals();
    private final PodEntries pods = new PodEntries(stock, reservations, stamps, arrivals);

    private Audit audit = new Audit();
    private AuditDifference findings = AuditDifference.NONE;
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
            case NodeEvent node -> follow(node);
            case PodEvent pod -> {
                count(pod);
                yield false;
            }
        };
    }

    private boolean follow(NodeEvent event) {
        if (event instanceof NodeEvent.NodesSyncedUpTo(Instant moment)) {
            nodesSyncedUpTo = moment;
        }
        boolean changed = nodes.apply(event);
        if (changed) {
            stock.follow(nodes, subject(event)).forEach(reservations::revise);
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

    private void count(PodEvent event) {
        switch (event) {
            case PodEvent.ListBegun _ -> {
                audit = new Audit();
                pods.listBegins();
            }
            case PodEvent.PodsPage page ->
                page.pods().forEach(pod -> {
                    // First, so that one that cannot be counted is found missing.
                    audit.listed(pod);
                    pods.listed(pod);
                });
            case PodEvent.ListEnded ended -> {
                pods.listEnds(ended.resourceVersion());
                findings = audit.against(stock, pods);
                listed(ended.asOf());
            }
            case PodEvent.PodSeen seen -> pods.seen(seen.pod());
            case PodEvent.PodRemoved removed -> pods.removed(removed);
            case PodEvent.PodsBookmark mark -> pods.bookmark(mark.resourceVersion());
            case PodEvent.PodsSyncedUpTo told -> told(told.moment());
        }
    }

    /** A list that may be older than what it replaces takes back what was told before. */
    private void listed(Instant asOf) {
        if (asOf.equals(Instant.MIN)) {
            syncedUpTo = Instant.MIN;
        } else {
            told(asOf);
        }
    }

    /** Decisions whose pods would have been seen by now have come to nothing. */
    private void told(Instant moment) {
        syncedUpTo = syncedUpTo.isAfter(moment) ? syncedUpTo : moment;
        reservations.together(() -> {
            Optional<Reservation> expired = stamps.expired(syncedUpTo);
            while (expired.isPresent()) {
                reservations.remove(expired.get());
                expired = stamps.expired(syncedUpTo);
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
        return stock.find(PodDemand.countable(need), constraints).isPresent();
    }

    /**
     * As {@link #isFree}, for a pod of {@code newcomer}, if others gave way who hold more than their fair share by
     * decisions of which no pod was seen. Nobody does so yet.
     */
    public boolean isDue(AssumeRequest newcomer, Instant now) {
        Amounts need = PodDemand.countable(newcomer.need());
        return !fair(newcomer.namespace(), newcomer.constraints(), now)
                .givingWay(need)
                .isEmpty();
    }

    private FairShares fair(String newcomer, NodeConstraints constraints, Instant now) {
        Shares known = shares;
        if (known == null
                || !known.newcomer().equals(newcomer)
                || !known.constraints().equals(constraints)
                || !known.now().equals(now)) {
            FairShares fair = new FairShares(stock, newcomer, constraints).with(arrivals.recent(now));
            known = new Shares(newcomer, constraints, now, fair);
            shares = known;
        }
        return known.fair();
    }

    /** Other namespaces than this one have decisions whose pods were not seen yet. */
    public boolean othersAreAssumed(String namespace) {
        return stamps.sizeOfOthers(namespace) > 0;
    }

    /**
     * Reserves what was decided for a pod that will be seen with this stamp, if it ever comes. Where it was told that
     * there is room and none is free, others give way who hold more than their share.
     */
    @CanIgnoreReturnValue
    public AssumeResult assume(AssumeRequest decided, Instant now) {
        forget(decided.stamp());
        Optional<NotKept> hindrance = stamps.blockedBy(decided);
        if (hindrance.isPresent()) {
            decisions = decisions.plusNotKept(hindrance.get().cause(), 1);
            return new AssumeResult(hindrance, List.of());
        }
        List<Reservation> yielding = stamps.yielding(decided);
        decisions = decisions.plusNotKept(NotKept.ALL, yielding.size());
        yielding.forEach(reservations::remove);
        shares = null;
        Reservation reservation = Reservation.of(decided, ++turns);
        List<Reservation> givingWay = decided.room() ? givingWay(reservation, decided, now) : List.of();
        shares = null;
        stamps.give(decided, reservation, now);
        Leaving.giveWay(givingWay, reservation, reservations);
        decisions = decisions.plusGaveWay(givingWay.size());
        return new AssumeResult(
                Optional.empty(), givingWay.stream().map(Ledger::stamp).toList());
    }

    private List<Reservation> givingWay(Reservation reservation, AssumeRequest decided, Instant now) {
        return stock.find(reservation.need(), decided.constraints()).isPresent()
                        || !othersAreAssumed(decided.namespace())
                ? List.of()
                : fair(decided.namespace(), decided.constraints(), now).givingWay(reservation.need());
    }

    private static String stamp(Reservation reservation) {
        return reservation.owner() instanceof Reservation.ExpectedPod expected ? expected.stamp() : "";
    }

    /** As if nothing had been decided for the pod of this stamp; one that was seen is not concerned. */
    public void forget(String stamp) {
        AssumedPods.AssumedPod given = stamps.forget(stamp);
        if (given != null) {
            shares = null;
            reservations.remove(given.reservation());
        }
    }

    /** This stamp was given in this namespace, and no pod with it was seen yet. */
    public boolean isAssumed(String stamp, String namespace) {
        return stamps.get(stamp, namespace) != null;
    }

    /** As {@link #isAssumed}, and the API server may still be at work on the pod. */
    public boolean isUnderWay(String stamp, String namespace, Instant now) {
        AssumedPods.AssumedPod given = stamps.get(stamp, namespace);
        return given != null && now.isBefore(given.at().plus(LONGEST_CREATE));
    }

    /** The pod comes again with its stamp, changed by others: it takes what it has now. */
    public void reassume(AssumeRequest decided) {
        AssumedPods.AssumedPod known = stamps.get(decided.stamp(), decided.namespace());
        if (known != null) {
            shares = null;
            reservations.resizeInPlace(known.reservation(), new PodDemand(decided.need(), decided.constraints(), null));
        }
    }

    /** By node, for those that are known. */
    public Map<String, Usage> usage() {
        Map<String, Usage> usage = HashMap.newHashMap(stock.accounts().size());
        for (NodeUsage account : stock.accounts()) {
            if (account.node() != null) {
                usage.put(account.name(), new Usage(account.allocated(), account.reserved()));
            }
        }
        return usage;
    }

    /**
     * The pods that hold devices of a node, those that are not bound, and decisions of which no pod was seen; in no
     * order.
     */
    public List<PodUsage> holders() {
        List<PodUsage> holders = new ArrayList<>();
        pods.forEach(holding -> {
            if (holding.name != null) {
                holders.add(holder(holding, holding.name));
            }
        });
        stamps.forEach(reservation -> holders.add(holder(reservation)));
        return holders;
    }

    private static PodUsage holder(PodEntry holding, String name) {
        return holding.reservation == null
                ? new PodUsage(name, holding.account == null ? null : holding.account.name(), null, holding.requests)
                : holder(holding.reservation);
    }

    private static PodUsage holder(Reservation reservation) {
        NodeUsage node = reservation.node();
        return new PodUsage(reservation.owner().name(), null, node == null ? null : node.name(), reservation.need());
    }

    /**
     * How many of {@code device} are Available on all nodes together, as {@code capacity} adds it up; whether a pod may
     * have them now is not asked here.
     */
    public long freeOf(ResourceName device) {
        return stock.freeOf(device);
    }

    /** How this stands at the moment, for those who watch it. */
    public LedgerStatistics standing() {
        long unplaced = pods.ofUnknownPlace();
        long broken = 0;
        for (Reservation reservation : reservations.pending().toList()) {
            unplaced++;
            broken += reservation.isPromised() ? 1 : 0;
        }
        long overcommitted = broken + reservations.overcommitted();
        return new LedgerStatistics(
                pods.size(),
                stamps.size(),
                unplaced,
                overcommitted,
                reservations.evictions(),
                findings,
                decisions.now(stamps.bytes()));
    }
}
