package dev.sluice.cluster.dra;

/** Identifies a device in the cluster, with the same fields as the allocation result in a ResourceClaim. */
public record DeviceId(String driver, String pool, String device) {

    @Override
    public String toString() {
        return driver + "/" + pool + "/" + device;
    }
}
