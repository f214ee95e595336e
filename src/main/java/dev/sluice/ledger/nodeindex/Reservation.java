package dev.sluice.ledger.nodeindex;

import dev.sluice.ledger.podentry.PodBudget;
import dev.sluice.quantity.Amounts;
import dev.sluice.scheduling.NodeConstraints;
import org.jspecify.annotations.Nullable;

/** What one pod that is not bound takes of the cluster: on a tentative node or, while there is no room, on none. */
public final class Reservation {

    /** What the user was told when the pod was created. */
    public enum Promise {
        ROOM,
        /** It waits; or nobody was told anything, because the pod did not come this way. */
        NOTHING
    }

    /**
     * While no pod of the decision was seen.
     *
     * @param turn rises with every decision
     */
    public record Unseen(String stamp, String namespace, long turn) {}

    private Promise promise;
    private String holder;
    private PodDemand ask;
    /** Null for pods that exist. */
    private @Nullable Unseen unseen;
    /** It was promised room, and had to leave it to a namespace that had less. */
    private boolean gaveWay;

    private @Nullable NodeUsage place;
    /** It stands where it is, room or not: the scheduler nominated the node, or the pod grew after its decision. */
    private boolean pinned;
    /** A pod was seen that waits with this: what it asks counts in the {@link PodBudget}. */
    private boolean budgeted;

    /** {@code holder} is for people: the pod's name, or what is known of it. */
    public Reservation(String holder, Promise promise, PodDemand ask) {
        this.holder = holder;
        this.promise = promise;
        this.ask = ask;
    }

    /** What was decided for a pod that may come. */
    public static Reservation of(AssumeRequest decided, long turn) {
        Reservation reservation = new Reservation(
                "a new pod in " + decided.namespace(),
                decided.room() ? Promise.ROOM : Promise.NOTHING,
                new PodDemand(decided.need(), decided.constraints(), null));
        reservation.unseen = new Unseen(decided.stamp(), decided.namespace(), turn);
        return reservation;
    }

    public String holder() {
        return holder;
    }

    @Nullable
    public Unseen unseen() {
        return unseen;
    }

    /** It waits from now on as if it had been promised nothing. Only while it stands nowhere and in no queue. */
    public void givesWay() {
        gaveWay |= promise == Promise.ROOM;
        promise = Promise.NOTHING;
    }

    public boolean hasGivenWay() {
        return gaveWay;
    }

    /** What its user was told holds again. Only while it stands somewhere, or in no queue. */
    public void isOwedAgain() {
        gaveWay = false;
        promise = Promise.ROOM;
    }

    public Promise promise() {
        return promise;
    }

    public PodDemand ask() {
        return ask;
    }

    public Amounts need() {
        return ask.need();
    }

    public NodeConstraints constraints() {
        return ask.constraints();
    }

    @Nullable
    public NodeUsage place() {
        return place;
    }

    public boolean isPinned() {
        return pinned;
    }

    public boolean isBudgeted() {
        return budgeted;
    }

    public void isNowBudgeted() {
        budgeted = true;
    }

    public void seenAs(String pod) {
        holder = pod;
        unseen = null;
    }

    /** Only while it stands nowhere: what it takes of a node must not change under it. */
    public void asks(PodDemand other) {
        if (place != null) {
            throw new IllegalStateException("still on node " + place.name());
        }
        ask = other;
    }

    public void standsWithin(NodeUsage account) {
        place = account;
        account.reserve(this);
    }

    /** As if it had never left. */
    public void returnsTo(NodeUsage account, int at) {
        place = account;
        account.reserve(this, at);
    }

    /** Also where that is more than there is. */
    public void standsAnyway(NodeUsage account) {
        place = account;
        pinned = true;
        account.reserve(this);
    }

    /** There is room for it now, so it is as movable as any other. */
    public void staysWithin() {
        pinned = false;
    }

    public boolean fitsWhereItStands() {
        return place != null && !place.overdraws(need()) && place.admits(constraints());
    }

    /** The scheduler is making room for it where it stands. */
    public boolean isNominated() {
        return place != null && place.name().equals(ask.nominated());
    }

    public void leaves() {
        if (place != null) {
            place.release(this);
            place = null;
            pinned = false;
        }
    }
}
