package dev.sluice.bus;

import dev.sluice.bus.WatchStatus.ObjectKind;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Says how current the state is that decisions are based on. All instants are of the clock of this process.
 *
 * @param nodes the moment before which every change of a node is known; {@link Instant#MIN} if nothing is proved
 * @param pods the same moment for pods
 * @param limit the age beyond which a proof is too old; {@link #NO_LIMIT} if the source is always current
 */
public record Freshness(Instant nodes, Instant pods, Duration limit) {

    /** The limit for a file or an embedded cluster, which is current until it changes. */
    public static final Duration NO_LIMIT = ChronoUnit.FOREVER.getDuration();

    /** Returns the freshness before anything is known. */
    public static Freshness unproved(Duration limit) {
        return new Freshness(Instant.MIN, Instant.MIN, limit);
    }

    /** Returns the moment up to which every change of this kind is known. */
    public Instant of(ObjectKind kind) {
        return switch (kind) {
            case NODES -> nodes;
            case PODS -> pods;
        };
    }

    /**
     * Returns true if the known state of this kind is not too old. Every decision must ask, because a suspended process
     * receives no update.
     */
    public boolean isCurrent(ObjectKind kind, Instant now) {
        return limit.equals(NO_LIMIT) || age(kind, now).compareTo(limit) <= 0;
    }

    /** Returns the time since the moment up to which every change of this kind is known. */
    public Duration age(ObjectKind kind, Instant now) {
        Duration age = Duration.between(of(kind), now);
        return age.isNegative() ? Duration.ZERO : age;
    }

    /** Returns the sentence that says why the known state of this kind is not used for decisions. */
    public String blockedBy(ObjectKind kind, Instant now) {
        return of(kind).equals(Instant.MIN)
                ? "it is not proved that what is known of the " + kind.word() + " is current"
                : "what is known of the " + kind.word() + " is "
                        + age(kind, now).toSeconds() + " s old, and nothing is decided by what is older than "
                        + limit.toSeconds() + " s";
    }
}
