package dev.sluice.cluster.dra;

import java.util.Comparator;

/** Identifies a pool of devices. Pools are sorted in the order in which the scheduler allocates their devices. */
public record PoolId(String driver, String pool) implements Comparable<PoolId> {

    private static final Comparator<PoolId> ORDER =
            Comparator.comparing(PoolId::driver).thenComparing(PoolId::pool);

    @Override
    public int compareTo(PoolId other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return driver + "/" + pool;
    }
}
