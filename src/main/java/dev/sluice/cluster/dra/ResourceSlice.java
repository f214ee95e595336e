package dev.sluice.cluster.dra;

import java.util.List;

/**
 * A ResourceSlice, which contains some devices of a pool.
 *
 * @param generation the generation of the pool; only slices of the newest generation are valid
 * @param sliceCount the number of slices of the pool in this generation
 */
public record ResourceSlice(
        String name,
        String driver,
        String pool,
        long generation,
        long sliceCount,
        ResourceSliceNodes nodes,
        List<Device> devices,
        List<DeviceCounterSet> counters) {

    public ResourceSlice {
        devices = List.copyOf(devices);
        counters = List.copyOf(counters);
    }

    PoolId poolId() {
        return new PoolId(driver, pool);
    }
}
