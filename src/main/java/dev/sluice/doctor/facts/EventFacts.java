package dev.sluice.doctor.facts;

import java.time.Instant;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * An event.
 *
 * @param kind the kind of the object it is about, as {@code namespace}, {@code name} and {@code uid} are its
 * @param apiVersion of that object, empty where it is not told
 * @param time the series' last observation, else the last, the event's or the first time; null without any
 * @param component who reported it
 * @param count how often it was seen; at least 1
 */
public record EventFacts(
        String apiVersion,
        String kind,
        String namespace,
        String name,
        String uid,
        String reason,
        String text,
        @Nullable Instant time,
        String component,
        long count) {

    private static final Comparator<EventFacts> BY_TIME =
            Comparator.comparing(EventFacts::time, Comparator.nullsFirst(Comparator.<Instant>naturalOrder()));

    /** The later event, or {@code other} if both have the same time. */
    public static EventFacts later(EventFacts one, EventFacts other) {
        return BY_TIME.compare(one, other) > 0 ? one : other;
    }
}
