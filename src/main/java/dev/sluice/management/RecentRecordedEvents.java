package dev.sluice.management;

import dev.sluice.record.RecordedStreamEvent;
import java.util.Optional;

/**
 * Keeps the newest {@link #MOST} events of the event stream. Their sequence numbers begin with 1. It is not
 * thread-safe.
 */
final class RecentRecordedEvents {

    /**
     * The maximum number of events that are kept. A client that reconnects after a short break has missed fewer events.
     */
    static final int MOST = 1_000;

    private final RecordedStreamEvent[] ring = new RecordedStreamEvent[MOST];
    private long added;

    void add(RecordedStreamEvent event) {
        ring[(int) (added % MOST)] = event;
        added++;
    }

    /** Returns the sequence number of the newest event. Returns 0 if there was no event. */
    long newest() {
        return added;
    }

    /** Returns the sequence number of the oldest event that is kept. Returns 1 if there was no event. */
    long oldest() {
        return Math.max(1, added - MOST + 1);
    }

    /**
     * Returns the event with this sequence number. Returns empty if the event is no longer kept or has not happened
     * yet.
     */
    Optional<RecordedStreamEvent> at(long number) {
        return number < oldest() || number > added ? Optional.empty() : Optional.of(ring[(int) ((number - 1) % MOST)]);
    }
}
