package dev.sluice.lease;

import dev.sluice.bus.FreshnessMessage;
import dev.sluice.bus.WatchStatusMessage.ObjectKind;
import dev.sluice.ledger.Ledger;
import dev.sluice.replication.Member;
import dev.sluice.replication.Replica;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Checks whether this process may decide. Its ledger must know all nodes and pods of the cluster, and must not be too
 * old. If other replicas may decide, too, this process must also hold the Lease.
 */
final class LeaseGuard {

    private final Ledger ledger;
    private final Optional<? extends Replica<?>> replica;
    private final InstantSource clock;
    private final Duration limit;

    /**
     * Creates a guard.
     *
     * @param replica the state of this process in the replication protocol; empty if no other process decides
     * @param limit the maximum age of the cluster state that decisions may use, as in {@link FreshnessMessage}
     */
    LeaseGuard(Ledger ledger, Optional<? extends Replica<?>> replica, InstantSource clock, Duration limit) {
        this.ledger = ledger;
        this.replica = replica;
        this.clock = clock;
        this.limit = limit;
    }

    /** Returns true if the ledger is complete and not too old. To decide, this process may also need the Lease. */
    boolean isCurrent() {
        return unknown().isEmpty();
    }

    /**
     * Returns the reason why the ledger may not match the cluster: it is incomplete or too old. Returns an empty text
     * if it is complete and current.
     */
    String unknown() {
        String notSynced = notSynced();
        return notSynced.isEmpty() ? stale() : notSynced;
    }

    /** Returns the reason why this process may not decide now. Returns an empty text if it may decide. */
    String blockedBy() {
        String notSynced = notSynced();
        String blocked = notSynced.isEmpty() ? replica.map(this::blockedByLease).orElse("") : notSynced;
        return blocked.isEmpty() ? stale() : blocked;
    }

    private String notSynced() {
        if (!ledger.knowsNodes()) {
            return "the cluster has not been listed yet";
        }
        return ledger.syncedUpTo().equals(Instant.MIN) ? "the pods have not been listed yet" : "";
    }

    FreshnessMessage freshness() {
        return new FreshnessMessage(ledger.nodesSyncedUpTo(), ledger.syncedUpTo(), limit);
    }

    /**
     * Returns the reason why the ledger is too old for decisions. Returns an empty text if it is current. Both nodes
     * and pods must be current, because the free capacity depends on both.
     */
    private String stale() {
        Instant now = clock.instant();
        FreshnessMessage freshness = freshness();
        for (ObjectKind kind : ObjectKind.values()) {
            if (!freshness.isCurrent(kind, now)) {
                return freshness.blockedBy(kind, now);
            }
        }
        return "";
    }

    private String blockedByLease(Replica<?> present) {
        long now = clock.instant().toEpochMilli();
        if (!present.isLeading()) {
            return present.holder()
                    .filter(holder -> !holder.equals(present.self()))
                    .map(Member::identity)
                    .map("another replica decides: "::concat)
                    .orElse("no replica holds the lease yet");
        }
        if (present.mayDecide(now)) {
            return "";
        }
        if (now >= present.validUntil()) {
            return "the lease ran out";
        }
        return present.waitsForFormerHolder()
                ? "pods that the former holder admitted may not have been seen yet; it waits for those of before "
                        + Instant.ofEpochMilli(present.waitsUntil())
                : "this replica lets another one have the lease";
    }
}
