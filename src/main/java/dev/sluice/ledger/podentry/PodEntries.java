package dev.sluice.ledger.podentry;

import dev.sluice.event.PodEvent;
import dev.sluice.ledger.nodeindex.NodeIndex;
import dev.sluice.ledger.nodeindex.NodeUsage;
import dev.sluice.ledger.nodeindex.PodDemand;
import dev.sluice.ledger.nodeindex.Reservation;
import dev.sluice.ledger.nodeindex.Reservation.ExistingPod;
import dev.sluice.ledger.nodeindex.Reservation.ExpectedPod;
import dev.sluice.ledger.nodeindex.Reservation.Promise;
import dev.sluice.ledger.nodeindex.ResourceVersions;
import dev.sluice.ledger.reservation.Reservations;
import dev.sluice.pod.Pod;
import dev.sluice.pod.PodId;
import dev.sluice.quantity.Amounts;
import dev.sluice.quantity.ResourceName;
import dev.sluice.scheduling.NodeConstraints;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The pods that exist, each counted where it stands. A list takes the same path as single events: what its pages do not
 * mention is removed when it ends.
 */
public final class PodEntries {

    private final NodeIndex stock;
    private final Reservations reservations;
    private final AssumedPods stamps;
    private final Arrivals arrivals;
    private final PodTable table = new PodTable();
    private final PodBudget budget = new PodBudget();
    private final ResourceVersions<PodId> versions = new ResourceVersions<>();

    private int list;
    /** Pods that wait, but nobody can say for which nodes. */
    private int unknown;

    public PodEntries(NodeIndex stock, Reservations reservations, AssumedPods stamps, Arrivals arrivals) {
        this.stock = stock;
        this.reservations = reservations;
        this.stamps = stamps;
        this.arrivals = arrivals;
    }

    public int size() {
        return table.size();
    }

    /** How many wait without anybody knowing for which nodes, so that they hold nothing. */
    public int ofUnknownPlace() {
        return unknown;
    }

    public void forEach(Consumer<PodEntry> action) {
        table.forEach(action);
    }

    public void listBegins() {
        list++;
        reservations.listBegins();
    }

    /** The list is the truth, whatever was seen before. */
    public void listed(Pod pod) {
        put(pod);
    }

    public void listEnds(long resourceVersion) {
        reservations.together(
                () -> table.matching(holding -> holding.list != list).forEach(this::remove));
        reservations.listEnds();
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
        PodEntry known = table.get(removed.id());
        if (known != null) {
            remove(known);
        } else {
            giveBack(removed.stamp(), removed.namespace());
        }
    }

    public void bookmark(long resourceVersion) {
        versions.bookmark(resourceVersion);
    }

    private boolean isNews(PodId id, long version) {
        PodEntry known = table.get(id);
        return versions.isNews(id, version, known == null ? 0 : known.version);
    }

    private void put(Pod pod) {
        PodEntry before = table.get(pod.id());
        switch (pod.place()) {
            case Pod.Place.Bound(String node) -> bound(known(before, pod), node, pod);
            case Pod.Place.Unbound unbound -> {
                NodeConstraints constraints = budget.take(unbound.constraints());
                if (constraints == null) {
                    unknown(known(before, pod), pod);
                } else {
                    unbound(known(before, pod), new Pod.Place.Unbound(constraints, unbound.nominated()), pod);
                }
            }
            case Pod.Place.UnknownPlace _ -> unknown(known(before, pod), pod);
            case Pod.Place.Gated _ -> gated(before, pod);
        }
    }

    private PodEntry known(@Nullable PodEntry before, Pod pod) {
        PodEntry holding = before;
        if (holding == null) {
            holding = new PodEntry(pod.id(), Amounts.NONE);
            holding.reservation = redeemed(holding, pod);
            table.add(holding);
        } else if (isUnknown(holding)) {
            unknown--;
        }
        holding.version = pod.resourceVersion();
        holding.list = list;
        return holding;
    }

    private @Nullable Reservation redeemed(PodEntry holding, Pod pod) {
        AssumedPods.AssumedPod given = stamps.redeem(pod.stamp(), pod.namespace());
        if (given == null) {
            return null;
        }
        arrivals.add(holding, given);
        return given.reservation();
    }

    private void bound(PodEntry holding, String node, Pod pod) {
        Amounts requests = counted(holding, PodDemand.countable(pod.requests()));
        NodeUsage before = holding.account;
        if (before != null && before.name().equals(node) && holding.requests.equals(requests)) {
            return;
        }
        NodeUsage account = stock.account(node);
        account.allocate(requests);
        if (before != null) {
            before.deallocate(holding.requests);
        }
        Reservation reservation = holding.reservation;
        holding.account = account;
        holding.requests = requests;
        holding.reservation = null;
        holding.name = requests.anyMatch(PodEntries::isDevice) ? pod.name() : null;
        stopsWaiting(reservation);
        NodeUsage left = before;
        if (reservation != null) {
            left = reservation.node();
            var _ = reservations.unplace(reservation);
        }
        // Whoever must go from here finds the room that the pod left before others are let in.
        reservations.settle(account);
        if (left != null && left != account) {
            reservations.settle(left);
        }
    }

    private static boolean isDevice(ResourceName name, long amount) {
        return amount > 0 && name.isExtended();
    }

    private static boolean isUnknown(PodEntry holding) {
        return holding.account == null && holding.reservation == null;
    }

    /** What counts of {@code requests} from now on, in place of what counted of this pod before. */
    private Amounts counted(PodEntry holding, Amounts requests) {
        Reservation reservation = holding.reservation;
        Amounts before = reservation != null && isSeen(reservation) ? reservation.need() : holding.requests;
        return budget.count(requests, before, this::matters);
    }

    private boolean matters(ResourceName name) {
        return !name.isExtended() || name.equals(ResourceName.NVIDIA_GPU) || stock.isDevice(name);
    }

    private void stopsWaiting(@Nullable Reservation reservation) {
        if (reservation != null && isSeen(reservation)) {
            budget.giveBack(reservation.constraints());
        }
    }

    /** The {@link PodBudget} counts the demand of pods that exist, not of those that are expected. */
    private static boolean isSeen(Reservation reservation) {
        return switch (reservation.owner()) {
            case ExistingPod _ -> true;
            case ExpectedPod _ -> false;
        };
    }

    /** It holds nothing, like a gated one; but somebody waits for room here, so it is counted. */
    private void unknown(PodEntry holding, Pod pod) {
        var _ = counted(holding, Amounts.NONE);
        release(holding);
        Reservation reservation = holding.reservation;
        if (reservation != null) {
            stopsWaiting(reservation);
            holding.reservation = null;
            reservations.remove(reservation);
        }
        holding.name = pod.name();
        unknown++;
    }

    /** The constraints are those that the budget gave. */
    private void unbound(PodEntry holding, Pod.Place.Unbound place, Pod pod) {
        PodDemand ask = new PodDemand(
                counted(holding, PodDemand.countable(pod.requests())), place.constraints(), place.nominated());
        release(holding);
        holding.name = pod.name();
        Reservation reservation = holding.reservation;
        stopsWaiting(reservation);
        if (reservation == null) {
            holding.reservation = new Reservation(new ExistingPod(pod.name()), Promise.NOTHING, ask);
            reservations.add(holding.reservation);
        } else {
            reservation.confirm(new ExistingPod(pod.name()));
            if (reservation.promise() == Promise.GAVE_WAY) {
                reservations.renewPromise(reservation);
            }
            reservations.resize(reservation, ask);
        }
    }

    /** Of a node; pods do not leave theirs, but what the source says counts. */
    private void release(PodEntry holding) {
        NodeUsage account = holding.account;
        if (account != null) {
            account.deallocate(holding.requests);
            holding.account = null;
            holding.requests = Amounts.NONE;
            reservations.settle(account);
        }
    }

    /** Nobody looks for a node for it, so it holds nothing, and nothing is kept of it. */
    private void gated(@Nullable PodEntry before, Pod pod) {
        if (before != null) {
            remove(before);
        }
        giveBack(pod.stamp(), pod.namespace());
    }

    /** What was decided for a pod that is now seen and holds nothing. */
    private void giveBack(String stamp, String namespace) {
        AssumedPods.AssumedPod given = stamps.redeem(stamp, namespace);
        if (given != null) {
            reservations.remove(given.reservation());
        }
    }

    private void remove(PodEntry holding) {
        table.remove(holding);
        unknown -= isUnknown(holding) ? 1 : 0;
        var _ = counted(holding, Amounts.NONE);
        stopsWaiting(holding.reservation);
        arrivals.remove(holding);
        if (holding.reservation != null) {
            reservations.remove(holding.reservation);
        }
        release(holding);
    }
}
