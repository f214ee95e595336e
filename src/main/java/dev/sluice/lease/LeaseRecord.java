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
 * The spec of a Lease. Its times come from other clocks: they distinguish records, and nothing is decided by them.
 *
 * @param holder empty if the lease was released
 * @param leaseDuration how long others wait after they have first seen this record
 * @param transitions how often the holder has changed
 */
record LeaseRecord(
        String holder,
        Duration leaseDuration,
        int transitions,
        @Nullable ZonedDateTime acquireTime,
        @Nullable ZonedDateTime renewTime) {

    /** client-go writes the same. The API server accepts nothing shorter, and nobody waits for it. */
    private static final Duration RELEASED_DURATION = Duration.ofSeconds(1);

    /** {@code usual} is the duration of a lease that has none. */
    static LeaseRecord of(Lease lease, Duration usual) {
        LeaseSpec spec = Optional.ofNullable(lease.getSpec()).orElseGet(LeaseSpec::new);
        Integer seconds = spec.getLeaseDurationSeconds();
        Integer transitions = spec.getLeaseTransitions();
        return new LeaseRecord(
                Optional.ofNullable(spec.getHolderIdentity()).orElse(""),
                seconds == null ? usual : Duration.ofSeconds(seconds),
                transitions == null ? 0 : transitions,
                spec.getAcquireTime(),
                spec.getRenewTime());
    }

    static LeaseRecord firstOf(String holder, Duration duration, Instant now) {
        return new LeaseRecord(holder, duration, 0, utc(now), utc(now));
    }

    boolean isReleased() {
        return holder.isEmpty();
    }

    /** When the lease runs out by the clock of its holder; {@link Instant#MAX} if the holder does not say it. */
    Instant endsByItsOwnWord() {
        return renewTime == null ? Instant.MAX : renewTime.toInstant().plus(leaseDuration);
    }

    LeaseRecord acquiredBy(String identity, Duration duration, Instant now) {
        return new LeaseRecord(identity, duration, transitions + 1, utc(now), utc(now));
    }

    LeaseRecord renewed(Duration duration, Instant now) {
        return new LeaseRecord(holder, duration, transitions, acquireTime, utc(now));
    }

    LeaseRecord released(Instant now) {
        return new LeaseRecord("", RELEASED_DURATION, transitions, utc(now), utc(now));
    }

    /** The lease with this spec. The resourceVersion stays, so that only the lease that was read is replaced. */
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

    /** Kubernetes stores microseconds. */
    private static ZonedDateTime utc(Instant instant) {
        return instant.truncatedTo(ChronoUnit.MICROS).atZone(ZoneOffset.UTC);
    }
}
