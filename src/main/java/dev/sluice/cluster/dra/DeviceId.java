package dev.sluice.cluster.dra;

/** Identifies a device in the cluster, with the same fields as the result of an allocation. */
public record DeviceId(String driver, String pool, String device) {

    @Override
    public String toString() {
        return driver + "/" + pool + "/" + device;
    }
}
