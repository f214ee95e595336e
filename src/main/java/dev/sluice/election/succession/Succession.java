package dev.sluice.election.succession;

import dev.sluice.bus.message.Fitness;
import dev.sluice.bus.message.LeaseState;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How a rollout changes the holder: a replica of a newer revision that could decide says so in the lease, again and
 * again, and the holder lets it have the lease. A revision that never could decide leaves the holder alone. See
 * decision 11. Has one owner.
 */
public final class Succession {

    /**
     * The replica that this process is.
     *
     * @param revision empty outside of a Deployment, where nobody hands anything over
     * @param fitness the newest, told by the owner of the ledger
     */
    public record Self(String identity, Supplier<Optional<Revision>> revision, Supplier<Fitness> fitness) {}

    private final Self self;
    private final HandoverTerms terms;
    private final InstantSource clock;
    private final Map<String, Instant> failedUntil = new HashMap<>();
    private @Nullable Successor seen;
    private int beats;
    private Instant heardAt = Instant.EPOCH;
    private Instant saidAt = Instant.MIN;
    private int said;
    private @Nullable Successor handedTo;

    public Succession(Self self, HandoverTerms terms, InstantSource clock) {
        this.self = self;
        this.terms = terms;
        this.clock = clock;
    }

    public String identity() {
        return self.identity();
    }

    /** What the lease says now. What it said before this process came proves nothing. */
    public void observe(Lease lease) {
        Successor found = Successor.in(lease).orElse(null);
        Instant now = clock.instant();
        if (found == null || seen == null || !found.identity().equals(seen.identity()) || isSilent(now)) {
            beats = 0;
        }
        if (found != null && !found.equals(seen)) {
            heardAt = now;
            beats++;
        }
        seen = found;
    }

    private boolean isSilent(Instant now) {
        return now.isAfter(heardAt.plus(terms.silence()));
    }

    /** Whom the holder of a term that began then should let have the lease. */
    public Optional<Successor> due(Instant begun) {
        Instant now = clock.instant();
        return now.isBefore(begun.plus(terms.tenure())) ? Optional.empty() : newer(terms.beats() + 1);
    }

    /** The first sight counts as no beat: it may be all that is left of a process that is gone. */
    private Optional<Successor> newer(int atLeast) {
        Instant now = clock.instant();
        return Optional.ofNullable(seen)
                .filter(_ -> beats >= atLeast && !isSilent(now))
                .filter(successor -> !now.isBefore(
                        failedUntil.getOrDefault(successor.revision().name(), Instant.MIN)))
                .filter(successor -> self.revision()
                        .get()
                        .filter(successor.revision()::isNewerThan)
                        .isPresent());
    }

    /** A lease that may be taken since then is left to a newer revision for a while. */
    public boolean leaves(Instant since) {
        return clock.instant().isBefore(since.plus(terms.silence())) && newer(2).isPresent();
    }

    /** True once whoever decides here has heard that this one is to follow, and so decides no more. */
    public boolean isHeardBy(Successor successor) {
        return self.fitness().get().heard().equals(new LeaseState.Standby(successor.identity()));
    }

    public void handedTo(Successor successor) {
        handedTo = successor;
    }

    /** The lease is ours. If we gave it away before, that was in vain. */
    public void taken() {
        if (handedTo != null) {
            failedUntil.put(handedTo.revision().name(), clock.instant().plus(terms.retry()));
            handedTo = null;
        }
    }

    /** What a standby writes into the lease now, if anything; nobody is interrupted who is newer. */
    public Optional<Successor> announcement() {
        Instant now = clock.instant();
        boolean tooSoon = said > 0 && now.isBefore(saidAt.plus(terms.beat()));
        if (tooSoon || !self.fitness().get().able()) {
            return Optional.empty();
        }
        Optional<Successor> ours =
                self.revision().get().map(revision -> new Successor(self.identity(), revision, said + 1));
        return ours.filter(successor -> isFree(successor, now));
    }

    private boolean isFree(Successor successor, Instant now) {
        return seen == null
                || seen.identity().equals(self.identity())
                || isSilent(now)
                || successor.revision().isNewerThan(seen.revision());
    }

    public void announced() {
        said++;
        saidAt = clock.instant();
    }
}
