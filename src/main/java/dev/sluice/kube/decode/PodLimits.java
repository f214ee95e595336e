package dev.sluice.kube.decode;

import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.json.JsonCursor;

/**
 * Limits the containers and amounts of one pod. They bound the memory of a small text, to about 1.5 MiB, and the time
 * of a decision about it, to a few milliseconds.
 */
public final class PodLimits implements ResourceListDecoder.EntryLimit {

    /** Containers with resources. The largest pods in use have some dozens. */
    static final int MAX_CONTAINERS = 1_024;

    /** Cpu and memory in the limits and requests of each container. */
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
