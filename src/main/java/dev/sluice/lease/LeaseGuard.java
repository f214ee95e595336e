package dev.sluice.lease;

import dev.sluice.bus.FitnessMessage;
import dev.sluice.bus.FreshnessMessage;
import dev.sluice.bus.LeaseStateMessage;
import dev.sluice.bus.WatchStatusMessage.ObjectKind;
import dev.sluice.ledger.Ledger;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * Checks whether this process may decide: its ledger must be synced and fresh, and it must hold the lease if other
 * replicas may decide, too.
 */
final class LeaseGuard {

    private final InstantSource clock;
    private final Duration limit;
    private LeaseStateMessage leaseState;

    /** @param limit the same value as in {@link FreshnessMessage} */
    LeaseGuard(DecisionVerticle.OtherReplicas otherReplicas, InstantSource clock, Duration limit) {
        this.clock = clock;
        this.limit = limit;
        this.leaseState = switch (otherReplicas) {
            case NONE -> new LeaseStateMessage.Leading(Instant.MIN, Instant.MAX, Instant.MAX);
            case POSSIBLE -> new LeaseStateMessage.Standby("");
        };
    }

    void update(LeaseStateMessage newest) {
        leaseState = newest;
    }

    /**
     * Returns whether this process could make decisions if it held the Lease. Such a standby is a candidate for the
     * Lease.
     */
    FitnessMessage fitness(Ledger ledger) {
        boolean able = notSynced(ledger).isEmpty() && stale(freshness(ledger)).isEmpty();
        return new FitnessMessage(able, leaseState);
    }

    /** Returns why nothing may be decided now. Returns an empty text if decisions may be made. */
    String blockedBy(Ledger ledger) {
        String notSynced = notSynced(ledger);
        String blocked = notSynced.isEmpty() ? blockedByLease(ledger) : notSynced;
        return blocked.isEmpty() ? stale(freshness(ledger)) : blocked;
    }

    private static String notSynced(Ledger ledger) {
        if (!ledger.knowsNodes()) {
            return "the cluster has not been listed yet";
        }
        return ledger.syncedUpTo().equals(Instant.MIN) ? "the pods have not been listed yet" : "";
    }

    FreshnessMessage freshness(Ledger ledger) {
        return new FreshnessMessage(ledger.nodesSyncedUpTo(), ledger.syncedUpTo(), limit);
    }

    /**
     * Returns why the ledger is too old for decisions. Returns an empty text if it is current. Both nodes and pods are
     * checked, because the free capacity depends on them.
     */
    private String stale(FreshnessMessage freshness) {
        Instant now = clock.instant();
        for (ObjectKind kind : ObjectKind.values()) {
            if (!freshness.isCurrent(kind, now)) {
                return freshness.blockedBy(kind, now);
            }
        }
        return "";
    }

    private String blockedByLease(Ledger ledger) {
        return switch (leaseState) {
            case LeaseStateMessage.Standby(String holder) ->
                holder.isEmpty() ? "no replica holds the lease yet" : "another replica decides: " + holder;
            case LeaseStateMessage.Leading leading -> blockedByTerm(leading, ledger);
        };
    }

    /**
     * Returns why the holder of the Lease may not decide yet. Returns an empty text if the holder may decide. The last
     * pods that the former holder admitted must have been stored and seen.
     */
    private String blockedByTerm(LeaseStateMessage.Leading leading, Ledger ledger) {
        if (!leading.holdsAt(clock.instant())) {
            return "the lease ran out";
        }
        Instant former = leading.formerMayHaveDecidedUntil();
        if (former.equals(Instant.MIN)) {
            return "";
        }
        Instant last = former.plus(ledger.longestCreate());
        return ledger.syncedUpTo().isBefore(last)
                ? "pods that the former holder admitted may not have been seen yet; it waits for those of before "
                        + last
                : "";
    }
}
