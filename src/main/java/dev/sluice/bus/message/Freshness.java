package dev.sluice.bus.message;

import dev.sluice.bus.message.WatchStatus.ObjectKind;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * How current the state is by which decisions are taken. Instants are of the one clock that the watcher and whoever
 * decides share.
 *
 * @param nodes everything that was stored of nodes before this moment is known; {@link Instant#MIN} where nothing is
 *     proved
 * @param pods the same of pods
 * @param limit a proof that is older than this is too old; {@link #NO_LIMIT} where the source is current by its own
 *     rule
 */
public record Freshness(Instant nodes, Instant pods, Duration limit) {

    /** A file, or a cluster that is embedded, says what it says until it says something else. */
    public static final Duration NO_LIMIT = ChronoUnit.FOREVER.getDuration();

    /** Before anybody has said anything. */
    public static Freshness unproved(Duration limit) {
        return new Freshness(Instant.MIN, Instant.MIN, limit);
    }

    /** The moment up to which everything of this kind is known. */
    public Instant of(ObjectKind kind) {
        return switch (kind) {
            case NODES -> nodes;
            case PODS -> pods;
        };
    }

    /** To be asked at every decision: a process that stood still hears of nothing. */
    public boolean isCurrent(ObjectKind kind, Instant now) {
        return limit.equals(NO_LIMIT) || age(kind, now).compareTo(limit) <= 0;
    }

    /** How old the proof is. */
    public Duration age(ObjectKind kind, Instant now) {
        Duration age = Duration.between(of(kind), now);
        return age.isNegative() ? Duration.ZERO : age;
    }

    /** Why nothing should be decided by what is known of this kind. */
    public String objection(ObjectKind kind, Instant now) {
        return of(kind).equals(Instant.MIN)
                ? "it is not proved that what is known of the " + kind.word() + " is current"
                : "what is known of the " + kind.word() + " is "
                        + age(kind, now).toSeconds() + " s old, and nothing is decided by what is older than "
                        + limit.toSeconds() + " s";
    }
}
