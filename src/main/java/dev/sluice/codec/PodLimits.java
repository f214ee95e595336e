package dev.sluice.codec;

import dev.sluice.cluster.ResourceName;

/**
 * How many containers and amounts of resources of one pod are kept. They bound what a pod of megabytes becomes in
 * memory, and how long a decision about it may hold its thread: with so many it takes less than 50 ms.
 */
final class PodLimits implements QuantitiesDraft.Allowance {

    /** Containers that ask for something. The largest pods in use have some dozens. */
    static final int MOST_CONTAINERS = 2_048;

    /** Eight for each of so many containers: cpu, memory, storage and a device, in limits and in requests. */
    static final int MOST_AMOUNTS = 8 * MOST_CONTAINERS;

    private final JsonCursor cursor;
    private int containers;
    private int amounts;

    PodLimits(JsonCursor cursor) {
        this.cursor = cursor;
    }

    boolean takesContainer() {
        containers++;
        if (containers > MOST_CONTAINERS) {
            cursor.report("it has more than " + MOST_CONTAINERS + " containers with resources");
        }
        return containers <= MOST_CONTAINERS;
    }

    @Override
    public boolean takes(ResourceName name) {
        amounts++;
        if (amounts > MOST_AMOUNTS) {
            cursor.report("it asks for more than " + MOST_AMOUNTS + " amounts of resources");
        }
        return amounts <= MOST_AMOUNTS;
    }
}
