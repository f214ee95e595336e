package dev.sluice.podspec;

import dev.sluice.json.JsonCursor;
import dev.sluice.quantity.ResourceName;

/**
 * How many containers and amounts of resources of one pod are kept. They bound what a small text can become in memory,
 * about 1.5 MiB, and how long a decision about it may hold its thread: with so many it takes a few milliseconds.
 */
public final class PodLimits implements ResourceListDecoder.EntryLimit {

    /** Containers that ask for something. The largest pods in use have some dozens. */
    static final int MAX_CONTAINERS = 1_024;

    /** Four for each of so many containers: cpu and memory, in limits and in requests. */
    static final int MAX_AMOUNTS = 4 * MAX_CONTAINERS;

    private final JsonCursor cursor;
    private int containers;
    private int amounts;
    private int zeros;

    public PodLimits(JsonCursor cursor) {
        this.cursor = cursor;
    }

    public boolean takesContainer() {
        containers++;
        if (containers > MAX_CONTAINERS) {
            cursor.report("it has more than " + MAX_CONTAINERS + " containers with resources");
        }
        return containers <= MAX_CONTAINERS;
    }

    @Override
    public boolean takes(ResourceName name) {
        amounts++;
        if (amounts > MAX_AMOUNTS) {
            cursor.report("it asks for more than " + MAX_AMOUNTS + " amounts of resources");
        }
        return amounts <= MAX_AMOUNTS;
    }

    @Override
    public boolean takesZero() {
        zeros++;
        return zeros <= MAX_CONTAINERS;
    }
}
