package dev.sluice.doctor.facts;

import java.time.Instant;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * Describes an Event of the cluster.
 *
 * @param apiVersion the API version of the object that the event is about; empty if the event does not contain one
 * @param kind the kind of the object that the event is about
 * @param namespace the namespace of that object
 * @param name the name of that object
 * @param uid the UID of that object; empty if the event does not contain one
 * @param time the first of these times that the event contains: {@code series.lastObservedTime}, {@code lastTimestamp},
 *     {@code eventTime}, {@code firstTimestamp}; null if it contains none
 * @param component the component that reported the event
 * @param count the number of times that the event occurred, at least 1
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

    /** Returns the later of two events, or {@code other} if both have the same time. */
    public static EventFacts later(EventFacts one, EventFacts other) {
        return BY_TIME.compare(one, other) > 0 ? one : other;
    }
}
