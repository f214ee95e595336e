package dev.sluice.bus;

import dev.sluice.bus.WatchStatus.ObjectKind;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * How current the state is by which decisions are made. Instants are of the one clock of the process.
 *
 * @param nodes every change of a node that was stored before this moment is known; {@link Instant#MIN} if nothing is
 *     proved
 * @param pods the same for pods
 * @param limit the age beyond which a proof is too old; {@link #NO_LIMIT} if the source is always current
 */
public record Freshness(Instant nodes, Instant pods, Duration limit) {

    /** A file or an embedded cluster is current until it changes. */
    public static final Duration NO_LIMIT = ChronoUnit.FOREVER.getDuration();

    /** The freshness before anything is known. */
    public static Freshness unproved(Duration limit) {
        return new Freshness(Instant.MIN, Instant.MIN, limit);
    }

    /** The moment up to which every change of this kind is known. */
    public Instant of(ObjectKind kind) {
        return switch (kind) {
            case NODES -> nodes;
            case PODS -> pods;
        };
    }

    /** To be asked at every decision, because a process that was suspended has received nothing. */
    public boolean isCurrent(ObjectKind kind, Instant now) {
        return limit.equals(NO_LIMIT) || age(kind, now).compareTo(limit) <= 0;
    }

    /** The age of the proof. */
    public Duration age(ObjectKind kind, Instant now) {
        Duration age = Duration.between(of(kind), now);
        return age.isNegative() ? Duration.ZERO : age;
    }

    /** Says why nothing should be decided by what is known of this kind. */
    public String blockedBy(ObjectKind kind, Instant now) {
        return of(kind).equals(Instant.MIN)
                ? "it is not proved that what is known of the " + kind.word() + " is current"
                : "what is known of the " + kind.word() + " is "
                        + age(kind, now).toSeconds() + " s old, and nothing is decided by what is older than "
                        + limit.toSeconds() + " s";
    }
}
