package dev.sluice.kube.decode;

import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.json.JsonCursor;

/**
 * Limits how many containers and resource amounts of a pod in a review are kept. With these limits, a pod takes at most
 * about 1.5 MiB of memory, and a decision about it takes at most a few milliseconds.
 */
final class DecodedPodLimits implements ResourceListDecoder.EntryLimit {

    /** The maximum number of containers that have resources. The largest ordinary pods have a few dozen containers. */
    static final int MAX_CONTAINERS = 1_024;

    /**
     * The maximum number of amounts in a pod. It is enough for cpu and memory in the limits and the requests of each
     * container.
     */
    static final int MAX_AMOUNTS = 4 * MAX_CONTAINERS;

    private final JsonCursor cursor;
    private int containers;
    private int amounts;
    private int zeros;

    DecodedPodLimits(JsonCursor cursor) {
        this.cursor = cursor;
    }

    boolean takesContainer() {
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
