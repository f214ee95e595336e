package dev.sluice.lease;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The spec of a Lease. Its times come from the clocks of other machines, so they are used only to distinguish records.
 *
 * @param holder the identity of the holder; empty if the lease was released
 * @param leaseDuration how long other candidates wait after they have first seen this record
 * @param transitions the number of times that the holder has changed
 */
record LeaseRecord(
        String holder,
        Duration leaseDuration,
        int transitions,
        @Nullable ZonedDateTime acquireTime,
        @Nullable ZonedDateTime renewTime) {

    /**
     * The duration in a released Lease, as in client-go. It is the shortest duration that the API server accepts. No
     * process waits for this duration.
     */
    private static final Duration RELEASED_DURATION = Duration.ofSeconds(1);

    /**
     * The longest lease duration that is accepted, which is four times the usual one. Otherwise anyone who may write
     * the Lease could keep every replica from deciding for years.
     */
    private static final Duration LONGEST_DURATION = Duration.ofSeconds(60);

    /**
     * The maximum length of a holder's identity that is kept, in characters. The identity of a replica has up to 290
     * characters.
     */
    private static final int LONGEST_HOLDER = 512;

    /**
     * Creates the record of a Lease.
     *
     * @param usual the duration to use if the Lease has none
     */
    static LeaseRecord of(Lease lease, Duration usual) {
        LeaseSpec spec = Optional.ofNullable(lease.getSpec()).orElseGet(LeaseSpec::new);
        Integer seconds = spec.getLeaseDurationSeconds();
        Integer transitions = spec.getLeaseTransitions();
        return new LeaseRecord(
                Optional.ofNullable(spec.getHolderIdentity())
                        .map(LeaseRecord::bounded)
                        .orElse(""),
                seconds == null ? usual : shorter(Duration.ofSeconds(seconds), LONGEST_DURATION),
                transitions == null ? 0 : transitions,
                spec.getAcquireTime(),
                spec.getRenewTime());
    }

    private static String bounded(String holder) {
        return holder.substring(0, Math.min(LONGEST_HOLDER, holder.length()));
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    static LeaseRecord firstOf(String holder, Duration duration, Instant now) {
        return new LeaseRecord(holder, duration, 0, utc(now), utc(now));
    }

    boolean isReleased() {
        return holder.isEmpty();
    }

    /**
     * Returns the time at which the lease expires by the clock of its holder; {@link Instant#MAX} if the record has no
     * renew time.
     */
    Instant endsByItsOwnWord() {
        return renewTime == null ? Instant.MAX : renewTime.toInstant().plus(leaseDuration);
    }

    LeaseRecord acquiredBy(String identity, Duration duration, Instant now) {
        // The API server refuses a negative number, so the largest one is followed by 0.
        int next = transitions == Integer.MAX_VALUE ? 0 : transitions + 1;
        return new LeaseRecord(identity, duration, next, utc(now), utc(now));
    }

    LeaseRecord renewed(Duration duration, Instant now) {
        return new LeaseRecord(holder, duration, transitions, acquireTime, utc(now));
    }

    LeaseRecord released(Instant now) {
        return new LeaseRecord("", RELEASED_DURATION, transitions, utc(now), utc(now));
    }

    /**
     * Returns the lease with this spec. The resourceVersion is kept, so that the API server refuses the write if the
     * lease has changed since it was read.
     */
    Lease in(Lease lease) {
        return new LeaseBuilder(lease)
                .withNewSpec()
                .withHolderIdentity(holder)
                .withLeaseDurationSeconds(Math.toIntExact(leaseDuration.toSeconds()))
                .withLeaseTransitions(transitions)
                .withAcquireTime(acquireTime)
                .withRenewTime(renewTime)
                .endSpec()
                .build();
    }

    /** Rounds down to microseconds, which is what Kubernetes stores. */
    private static ZonedDateTime utc(Instant instant) {
        return instant.truncatedTo(ChronoUnit.MICROS).atZone(ZoneOffset.UTC);
    }
}
