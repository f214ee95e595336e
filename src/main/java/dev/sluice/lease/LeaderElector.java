package dev.sluice.lease;

import dev.sluice.bus.LeaseStateMessage;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Acquires, renews and releases the lease by the rules of client-go. A process can replace a record only if the record
 * has not changed since the process read it (resourceVersion). Clocks of other machines are not trusted: a lease counts
 * as expired when its record has not changed for the lease duration since this process first saw it. Only one thread
 * may use it.
 */
final class LeaderElector {

    /**
     * A period in which this process holds the lease without interruption.
     *
     * @param transitions the number of transitions in the lease, which distinguishes the terms of this process
     * @param formerMayHaveDecidedUntil the latest time at which the former holder can have decided
     * @param formerEnded the same value as in {@link LeaseStateMessage.Leading}
     * @param begun the time at which the term began, by this process's clock
     */
    private record Term(int transitions, Instant formerMayHaveDecidedUntil, Instant formerEnded, Instant begun) {}

    private static final Logger LOG = LoggerFactory.getLogger(LeaderElector.class);

    private final String identity;
    private final Handover handover;
    private final LeaseStore store;
    private final LeaderElectionConfig config;
    private final InstantSource clock;
    private @Nullable LeaseRecord observed;
    private Instant observedAt = Instant.MIN;
    private Instant decidesUntil = Instant.MIN;
    private @Nullable Term term;
    /**
     * True after a request to acquire the lease, even if no answer arrived, until another holder is seen.
     * {@link #release} releases the lease only in this case.
     */
    private boolean mayHold;

    public LeaderElector(Handover handover, LeaseStore store, LeaderElectionConfig config, InstantSource clock) {
        this.identity = handover.identity();
        this.handover = handover;
        this.store = store;
        this.config = config;
        this.clock = clock;
    }

    /** Renews the lease, or acquires it if it is free. Returns the new state. */
    public LeaseStateMessage tryAcquireOrRenew() {
        Optional<Lease> found = store.read();
        if (found.isEmpty()) {
            return create();
        }
        Lease lease = found.get();
        LeaseRecord record = observe(LeaseRecord.of(lease, config.leaseDuration()));
        handover.observe(lease);
        if (record.holder().equals(identity)) {
            Optional<LeaseCandidate> due = term == null ? Optional.empty() : handover.dueCandidate(term.begun());
            return due.isPresent() ? handOver(lease, record, due.get()) : renew(lease, record);
        }
        term = null;
        mayHold = false;
        Instant formerMayHaveDecidedUntil = record.isReleased() ? observedAt : observedAt.plus(record.leaseDuration());
        return clock.instant().isBefore(formerMayHaveDecidedUntil) || handover.isLeftToNewer(formerMayHaveDecidedUntil)
                ? standBy(lease, record)
                : acquire(lease, record, formerMayHaveDecidedUntil);
    }

    /**
     * Announces this process as a candidate. If another process has changed the Lease in the meantime, the next attempt
     * writes the announcement.
     */
    private LeaseStateMessage standBy(Lease lease, LeaseRecord record) {
        handover.nextAnnouncement().ifPresent(announcement -> {
            try {
                store.annotate(announcement.announcedIn(lease));
                handover.recordAnnouncement();
            } catch (KubernetesClientException failed) {
                if (failed.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                    throw failed;
                }
            }
        });
        return new LeaseStateMessage.Standby(record.holder());
    }

    /**
     * Reports Standby first. It releases the lease in a later call, once the decision verticle has stopped deciding or
     * the renew deadline has passed.
     */
    private LeaseStateMessage handOver(Lease lease, LeaseRecord record, LeaseCandidate candidate) {
        Instant now = clock.instant();
        if (handover.isStoppedFor(candidate) || !now.isBefore(decidesUntil)) {
            store.replace(lease, record.released(now));
            term = null;
            mayHold = false;
            handover.handedOverTo(candidate);
            LOG.atInfo()
                    .addKeyValue("successor", candidate.identity())
                    .addKeyValue("revision", candidate.revision().name())
                    .log("a replica of a newer revision could decide, so this gateway has released the lease");
        }
        return new LeaseStateMessage.Standby(candidate.identity());
    }

    /**
     * Records when this record was first seen. The clock is read after the answer of the API server: a time that is too
     * late only delays a takeover, but a time that is too early could cause two holders.
     */
    private LeaseRecord observe(LeaseRecord record) {
        if (!record.equals(observed)) {
            observed = record;
            observedAt = clock.instant();
        }
        return record;
    }

    /**
     * Creates the lease. If a lease existed before and was deleted, its former holder may have renewed it until now.
     */
    private LeaseStateMessage create() {
        term = null;
        Instant now = clock.instant();
        LeaseRecord first = LeaseRecord.firstOf(identity, config.leaseDuration(), now);
        Term begun = new Term(
                first.transitions(),
                observed == null ? Instant.MIN : now.plus(config.leaseDuration()),
                Instant.MAX,
                now);
        mayHold = true;
        store.create(first);
        return leading(begun, now);
    }

    private LeaseStateMessage acquire(Lease lease, LeaseRecord former, Instant formerMayHaveDecidedUntil) {
        Instant now = clock.instant();
        LeaseRecord taken = former.acquiredBy(identity, config.leaseDuration(), now);
        mayHold = true;
        store.replace(LeaseCandidate.removedFrom(lease), taken);
        handover.acquired();
        return leading(new Term(taken.transitions(), formerMayHaveDecidedUntil, former.endsByItsOwnWord(), now), now);
    }

    /**
     * Renews the lease, even if it has expired: as long as the lease names this process, no other process has held it.
     */
    private LeaseStateMessage renew(Lease lease, LeaseRecord record) {
        if (term == null || term.transitions() != record.transitions()) {
            // The answer to the request that acquired the Lease was lost, so the former holder is unknown.
            term = new Term(
                    record.transitions(), observedAt.plus(config.leaseDuration()), Instant.MAX, clock.instant());
        }
        Instant now = clock.instant();
        store.replace(lease, record.renewed(config.leaseDuration(), now));
        return leading(term, now);
    }

    /**
     * Reports Leading. The renew deadline starts when the request is sent, so that it passes before other processes may
     * acquire the lease.
     */
    private LeaseStateMessage leading(Term held, Instant sent) {
        term = held;
        decidesUntil = sent.plus(config.renewDeadline());
        return new LeaseStateMessage.Leading(held.formerMayHaveDecidedUntil(), held.formerEnded(), decidesUntil);
    }

    /** Releases the lease for the next holder. This process must have stopped deciding before. */
    void release() {
        if (!mayHold) {
            return;
        }
        try {
            giveUp();
        } catch (KubernetesClientException refused) {
            if (refused.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                throw refused;
            }
            // The API server has executed the request that was interrupted by the stop, so the Lease has changed. There
            // is at most one such request, so one more attempt is enough.
            giveUp();
        }
    }

    private void giveUp() {
        Optional<Lease> found = store.read();
        if (found.isPresent()) {
            LeaseRecord record = LeaseRecord.of(found.get(), config.leaseDuration());
            if (record.holder().equals(identity)) {
                store.replace(found.get(), record.released(clock.instant()));
            }
        }
    }
}
