package dev.sluice.bus;

import dev.sluice.bus.WatchStatusMessage.ObjectKind;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Reports how current the known state of the cluster is. All instants are of the clock of this process.
 *
 * @param nodes all changes of nodes before this time are known; {@link Instant#MIN} if no such time is known
 * @param pods all changes of pods before this time are known; {@link Instant#MIN} if no such time is known
 * @param limit the age above which the state is too old for decisions; {@link #NO_LIMIT} if the source is always
 *     current
 */
public record FreshnessMessage(Instant nodes, Instant pods, Duration limit) {

    /** The limit for a snapshot file or an embedded cluster, whose state is current until it is replaced. */
    public static final Duration NO_LIMIT = ChronoUnit.FOREVER.getDuration();

    /** Returns the message for the time before anything is known about the cluster. */
    public static FreshnessMessage unproved(Duration limit) {
        return new FreshnessMessage(Instant.MIN, Instant.MIN, limit);
    }

    /** Returns the time before which every change of objects of this kind is known. */
    public Instant of(ObjectKind kind) {
        return switch (kind) {
            case NODES -> nodes;
            case PODS -> pods;
        };
    }

    /**
     * Returns true if the known state of this kind is not too old. Every decision has to call this method, because the
     * newest message may be old, for example after the process was suspended.
     */
    public boolean isCurrent(ObjectKind kind, Instant now) {
        return limit.equals(NO_LIMIT) || age(kind, now).compareTo(limit) <= 0;
    }

    /**
     * Returns the age of the known state of this kind: the time since {@link #of}. Returns zero if that time is in the
     * future.
     */
    public Duration age(ObjectKind kind, Instant now) {
        Duration age = Duration.between(of(kind), now);
        return age.isNegative() ? Duration.ZERO : age;
    }

    /**
     * Returns the reason why decisions do not use the known state of this kind, as a sentence. Call this method only if
     * {@link #isCurrent} is false.
     */
    public String blockedBy(ObjectKind kind, Instant now) {
        return of(kind).equals(Instant.MIN)
                ? "it is not proved that what is known of the " + kind.word() + " is current"
                : "what is known of the " + kind.word() + " is "
                        + age(kind, now).toSeconds() + " s old, and nothing is decided by what is older than "
                        + limit.toSeconds() + " s";
    }
}
