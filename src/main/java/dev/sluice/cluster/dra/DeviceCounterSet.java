package dev.sluice.cluster.dra;

import java.util.HashMap;
import java.util.Map;

/**
 * A set of counters that several devices share, for example the memory slices of one GPU. The values are whole numbers.
 */
public record DeviceCounterSet(String name, Map<String, Long> counters) {

    /**
     * The maximum value of a counter. It is larger than the memory of any GPU in bytes, and small enough that sums of
     * counters do not overflow.
     */
    private static final long LARGEST = 1L << 56;

    public DeviceCounterSet {
        Map<String, Long> bounded = new HashMap<>(counters);
        bounded.replaceAll((_, amount) -> Math.clamp(amount, 0, LARGEST));
        counters = Map.copyOf(bounded);
    }
}
