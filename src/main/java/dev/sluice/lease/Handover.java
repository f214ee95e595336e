package dev.sluice.lease;

import dev.sluice.bus.FitnessMessage;
import dev.sluice.bus.LeaseStateMessage;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Hands the Lease over during a rollout (decision 11). A replica of a newer revision that could make decisions
 * announces itself in the Lease with heartbeats, and the holder then releases the Lease for that replica. Only one
 * thread may use it.
 */
final class Handover {

    /**
     * Describes this replica.
     *
     * @param revision the revision of the Deployment; empty outside a Deployment, where no lease is handed over
     * @param fitness the newest report of the decision verticle
     */
    public record Self(
            String identity, Supplier<Optional<LeaseCandidate.Revision>> revision, Supplier<FitnessMessage> fitness) {}

    private final Self self;
    private final HandoverConfig config;
    private final InstantSource clock;
    private final Map<String, Instant> failedUntil = new HashMap<>();
    private @Nullable LeaseCandidate announced;
    private int heartbeats;
    private Instant heartbeatAt = Instant.EPOCH;
    private Instant announcedAt = Instant.MIN;
    private int announcements;
    private @Nullable LeaseCandidate handedOverTo;

    public Handover(Self self, HandoverConfig config, InstantSource clock) {
        this.self = self;
        this.config = config;
        this.clock = clock;
    }

    public String identity() {
        return self.identity();
    }

    public void observe(Lease lease) {
        LeaseCandidate found = LeaseCandidate.in(lease).orElse(null);
        Instant now = clock.instant();
        if (found == null || announced == null || !found.identity().equals(announced.identity()) || isSilent(now)) {
            heartbeats = 0;
        }
        if (found != null && !found.equals(announced)) {
            heartbeatAt = now;
            heartbeats++;
        }
        announced = found;
    }

    private boolean isSilent(Instant now) {
        return now.isAfter(heartbeatAt.plus(config.heartbeatTimeout()));
    }

    /**
     * Returns the candidate to which the holder should hand the lease over now; empty if there is no such candidate.
     *
     * @param begun the time at which the holder's term began
     */
    public Optional<LeaseCandidate> dueCandidate(Instant begun) {
        Instant now = clock.instant();
        return now.isBefore(begun.plus(config.minimumTenure()))
                ? Optional.empty()
                : newer(config.requiredHeartbeats() + 1);
    }

    /**
     * Returns the announced candidate if it is of a newer revision and has written {@code atLeast} announcements. The
     * first announcement does not count as a heartbeat, because the process that wrote it may be gone; so callers ask
     * for one announcement more than the heartbeats that they need.
     */
    private Optional<LeaseCandidate> newer(int atLeast) {
        Instant now = clock.instant();
        return Optional.ofNullable(announced)
                .filter(_ -> heartbeats >= atLeast && !isSilent(now))
                .filter(candidate -> !now.isBefore(
                        failedUntil.getOrDefault(candidate.revision().name(), Instant.MIN)))
                .filter(candidate -> self.revision()
                        .get()
                        .filter(candidate.revision()::isNewerThan)
                        .isPresent());
    }

    /**
     * Returns true if this process should not take a free Lease, because a candidate of a newer revision will take it.
     *
     * @param since the time since which the Lease has been free
     */
    public boolean isLeftToNewer(Instant since) {
        return clock.instant().isBefore(since.plus(config.heartbeatTimeout())) && newer(2).isPresent();
    }

    /** Returns true once the decision verticle has stopped deciding in favor of this candidate. */
    public boolean isStoppedFor(LeaseCandidate candidate) {
        return self.fitness().get().heard().equals(new LeaseStateMessage.Standby(candidate.identity()));
    }

    public void handedOverTo(LeaseCandidate candidate) {
        handedOverTo = candidate;
    }

    /**
     * Records that this process holds the Lease. If this process had handed the Lease over before, the candidate has
     * lost the Lease again. The candidate's revision then has to wait before the next handover.
     */
    public void acquired() {
        if (handedOverTo != null) {
            failedUntil.put(handedOverTo.revision().name(), clock.instant().plus(config.backoff()));
            handedOverTo = null;
        }
    }

    /**
     * Returns the announcement that a standby should write into the lease now; empty if there is none. The announcement
     * of a candidate with a newer revision is never replaced.
     */
    public Optional<LeaseCandidate> nextAnnouncement() {
        Instant now = clock.instant();
        boolean tooSoon = announcements > 0 && now.isBefore(announcedAt.plus(config.heartbeatPeriod()));
        if (tooSoon || !self.fitness().get().able()) {
            return Optional.empty();
        }
        Optional<LeaseCandidate> ours =
                self.revision().get().map(revision -> new LeaseCandidate(self.identity(), revision, announcements + 1));
        return ours.filter(candidate -> isFree(candidate, now));
    }

    private boolean isFree(LeaseCandidate candidate, Instant now) {
        return announced == null
                || announced.identity().equals(self.identity())
                || isSilent(now)
                || candidate.revision().isNewerThan(announced.revision());
    }

    public void recordAnnouncement() {
        announcements++;
        announcedAt = clock.instant();
    }

    /**
     * The rules by which a holder hands the lease over to a newer revision.
     *
     * @param heartbeatPeriod the time between two announcements of a candidate
     * @param requiredHeartbeats the number of consecutive heartbeats that a candidate needs
     * @param heartbeatTimeout a candidate is considered gone if it has sent no heartbeat for this time
     * @param minimumTenure the time for which a holder keeps the lease before it hands it over
     * @param backoff the time for which a revision that lost the lease again does not get another handover
     */
    public record HandoverConfig(
            Duration heartbeatPeriod,
            int requiredHeartbeats,
            Duration heartbeatTimeout,
            Duration minimumTenure,
            Duration backoff) {

        /**
         * The default rules. With four heartbeats of 3 s, a process that ends within 10 s after it has read the cluster
         * does not get the lease. The timeout of 10 s means three lost heartbeats. The tenure of 60 s covers the wait
         * of 34 s and the second in which the Deployment ends the pods of the old revision, so that a late replica of
         * the old revision is gone before it could acquire the lease. The backoff of 10 min is twice the longest
         * backoff of kubelet, so that a revision that crashes whenever it decides does not cause a handover at each of
         * its starts.
         */
        public static final HandoverConfig DEFAULT = new HandoverConfig(
                Duration.ofSeconds(3), 4, Duration.ofSeconds(10), Duration.ofSeconds(60), Duration.ofMinutes(10));

        HandoverConfig withMinimumTenure(Duration tenure) {
            return new HandoverConfig(heartbeatPeriod, requiredHeartbeats, heartbeatTimeout, tenure, backoff);
        }
    }
}
