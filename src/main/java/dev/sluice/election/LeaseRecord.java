package dev.sluice.election;

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
 * What a Lease says. Its times are of other clocks: they tell one record from the next and are compared with nothing.
 *
 * @param holder empty when the lease was released
 * @param length for how long others keep off after they have seen this record
 * @param transitions how often the holder changed
 */
record LeaseRecord(
        String holder,
        Duration length,
        int transitions,
        @Nullable ZonedDateTime acquiredAt,
        @Nullable ZonedDateTime renewedAt) {

    /** As client-go writes it: the API server accepts nothing shorter, and nobody waits for it. */
    private static final Duration OF_A_RELEASED_LEASE = Duration.ofSeconds(1);

    /** {@code usual} stands in for a length that somebody removed. */
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

    static LeaseRecord firstOf(String holder, Duration length, Instant now) {
        return new LeaseRecord(holder, length, 0, utc(now), utc(now));
    }

    boolean isReleased() {
        return holder.isEmpty();
    }

    LeaseRecord takenBy(String candidate, Duration ofLength, Instant now) {
        return new LeaseRecord(candidate, ofLength, transitions + 1, utc(now), utc(now));
    }

    LeaseRecord renewed(Duration ofLength, Instant now) {
        return new LeaseRecord(holder, ofLength, transitions, acquiredAt, utc(now));
    }

    LeaseRecord released(Instant now) {
        return new LeaseRecord("", OF_A_RELEASED_LEASE, transitions, utc(now), utc(now));
    }

    /** The lease with this in it; version and uid stay, so that only the lease that was read can be replaced. */
    Lease in(Lease lease) {
        return new LeaseBuilder(lease)
                .withNewSpec()
                .withHolderIdentity(holder)
                .withLeaseDurationSeconds(Math.toIntExact(length.toSeconds()))
                .withLeaseTransitions(transitions)
                .withAcquireTime(acquiredAt)
                .withRenewTime(renewedAt)
                .endSpec()
                .build();
    }

    /** Kubernetes keeps microseconds. */
    private static ZonedDateTime utc(Instant instant) {
        return instant.truncatedTo(ChronoUnit.MICROS).atZone(ZoneOffset.UTC);
    }
}
