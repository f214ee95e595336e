package dev.sluice.cluster.dra;

import java.util.HashMap;
import java.util.Map;

/** Counters that several devices share, for example the memory slices of one GPU, in whole units. */
public record CounterSet(String name, Map<String, Long> counters) {

    /** More than the memory of any GPU has bytes, and so little that the sum of some does not overflow. */
    private static final long LARGEST = 1L << 56;

    public CounterSet {
        Map<String, Long> bounded = new HashMap<>(counters);
        bounded.replaceAll((_, amount) -> Math.clamp(amount, 0, LARGEST));
        counters = Map.copyOf(bounded);
    }
}
