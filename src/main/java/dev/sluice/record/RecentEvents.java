package dev.sluice.record;

import java.util.Optional;

/** The last {@link #MOST} events, numbered from 1. Has one owner. */
public final class RecentEvents {

    /** A client that comes back after a short break has missed fewer. */
    public static final int MOST = 1_000;

    private final StreamEvent[] ring = new StreamEvent[MOST];
    private long added;

    public void add(StreamEvent event) {
        ring[(int) (added % MOST)] = event;
        added++;
    }

    /** The number of the newest event; 0 if there was none. */
    public long newest() {
        return added;
    }

    /** The number of the oldest event that is kept, or that will come if there was none. */
    public long oldest() {
        return Math.max(1, added - MOST + 1);
    }

    /** The event with this number; empty if it is no longer kept, or has not happened yet. */
    public Optional<StreamEvent> at(long number) {
        return number < oldest() || number > added ? Optional.empty() : Optional.of(ring[(int) ((number - 1) % MOST)]);
    }
}
