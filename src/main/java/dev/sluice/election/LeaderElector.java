package dev.sluice.election;

import dev.sluice.bus.message.LeaseState;
import dev.sluice.election.succession.Succession;
import dev.sluice.election.succession.Successor;
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
 * One gateway that takes, keeps and releases the lease, by the rules of client-go: whoever replaces a record must have
 * read it (resourceVersion), and the clock of another machine is never believed. A record counts as run out when it has
 * not changed for its length since it was first seen here. Has one owner.
 */
public final class LeaderElector {

    /**
     * A time without interruption in which nobody else held the lease.
     *
     * @param transitions tells it from others that this candidate had
     * @param begun by the clock of this candidate
     */
    private record Term(int transitions, Instant formerMayHaveDecidedUntil, Instant begun) {}

    private static final Logger LOG = LoggerFactory.getLogger(LeaderElector.class);

    private final String identity;
    private final Succession succession;
    private final LeaseStore store;
    private final LeaseTerms terms;
    private final InstantSource clock;
    private @Nullable LeaseRecord observed;
    private Instant observedAt = Instant.MIN;
    private Instant decidesUntil = Instant.MIN;
    private @Nullable Term term;
    /** A lease was asked for, whether or not the answer came, and no other holder has been seen since. */
    private boolean mayHold;

    public LeaderElector(Succession succession, LeaseStore store, LeaseTerms terms, InstantSource clock) {
        this.identity = succession.identity();
        this.succession = succession;
        this.store = store;
        this.terms = terms;
        this.clock = clock;
    }

    /** Renews the lease, or takes it where that is allowed. */
    public LeaseState attempt() {
        Optional<Lease> found = store.read();
        if (found.isEmpty()) {
            return create();
        }
        Lease lease = found.get();
        LeaseRecord record = observe(LeaseRecord.of(lease, terms.length()));
        succession.observe(lease);
        if (record.holder().equals(identity)) {
            Optional<Successor> due = term == null ? Optional.empty() : succession.due(term.begun());
            return due.isPresent() ? handOver(lease, record, due.get()) : renew(lease, record);
        }
        term = null;
        mayHold = false;
        Instant formerMayHaveDecidedUntil = record.isReleased() ? observedAt : observedAt.plus(record.length());
        return clock.instant().isBefore(formerMayHaveDecidedUntil) || succession.leaves(formerMayHaveDecidedUntil)
                ? standBy(lease, record)
                : take(lease, record, formerMayHaveDecidedUntil);
    }

    /** That it could decide is said beside; where somebody else wrote meanwhile, it is said the next time. */
    private LeaseState standBy(Lease lease, LeaseRecord record) {
        succession.announcement().ifPresent(announcement -> {
            try {
                store.annotate(announcement.announcedIn(lease));
                succession.announced();
            } catch (KubernetesClientException outrun) {
                if (outrun.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                    throw outrun;
                }
            }
        });
        return new LeaseState.Standby(record.holder());
    }

    /**
     * The first time only told: the lease is released when whoever decides here has heard it, or when its time is over
     * anyway. From then on this is a candidate like any other.
     */
    private LeaseState handOver(Lease lease, LeaseRecord record, Successor successor) {
        Instant now = clock.instant();
        if (succession.isHeardBy(successor) || !now.isBefore(decidesUntil)) {
            store.replace(lease, record.released(now));
            term = null;
            mayHold = false;
            succession.handedTo(successor);
            LOG.atInfo()
                    .addKeyValue("successor", successor.identity())
                    .addKeyValue("revision", successor.revision().name())
                    .log("A replica of a newer revision could decide, so this gateway has released the lease");
        }
        return new LeaseState.Standby(successor.identity());
    }

    /** When it was seen is read after the answer came: that is late rather than early. */
    private LeaseRecord observe(LeaseRecord record) {
        if (!record.equals(observed)) {
            observed = record;
            observedAt = clock.instant();
        }
        return record;
    }

    /** A lease that is gone although there was one had a holder, whose last renewal was before this moment. */
    private LeaseState create() {
        term = null;
        Instant now = clock.instant();
        LeaseRecord first = LeaseRecord.firstOf(identity, terms.length(), now);
        Term begun = new Term(first.transitions(), observed == null ? Instant.MIN : now.plus(terms.length()), now);
        mayHold = true;
        store.create(first);
        return leading(begun, now);
    }

    private LeaseState take(Lease lease, LeaseRecord former, Instant formerMayHaveDecidedUntil) {
        Instant now = clock.instant();
        LeaseRecord taken = former.takenBy(identity, terms.length(), now);
        mayHold = true;
        store.replace(Successor.removedFrom(lease), taken);
        succession.taken();
        return leading(new Term(taken.transitions(), formerMayHaveDecidedUntil, now), now);
    }

    /** Also a lease that ran out: that it still names this candidate shows that nobody else had it. */
    private LeaseState renew(Lease lease, LeaseRecord record) {
        if (term == null || term.transitions() != record.transitions()) {
            // Taken by a request whose answer was lost, and with it what it knew of the former holder.
            term = new Term(record.transitions(), observedAt.plus(terms.length()), clock.instant());
        }
        Instant now = clock.instant();
        store.replace(lease, record.renewed(terms.length(), now));
        return leading(term, now);
    }

    /** Counted from before the request was sent, so that it ends before anyone who saw its effect may take over. */
    private LeaseState leading(Term held, Instant sent) {
        term = held;
        decidesUntil = sent.plus(terms.deciding());
        return new LeaseState.Leading(held.formerMayHaveDecidedUntil(), decidesUntil);
    }

    /** Lets the next one in at once. Nothing may be decided here any more. */
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
            // The stop cut off a request, and the API server carried it out in between. There is only one such request.
            giveUp();
        }
    }

    private void giveUp() {
        Optional<Lease> found = store.read();
        if (found.isPresent()) {
            LeaseRecord record = LeaseRecord.of(found.get(), terms.length());
            if (record.holder().equals(identity)) {
                store.replace(found.get(), record.released(clock.instant()));
            }
        }
    }
}
