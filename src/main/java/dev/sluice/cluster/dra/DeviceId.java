package dev.sluice.cluster.dra;

/** Identifies a device in the cluster, as the result of an allocation does. */
public record DeviceId(String driver, String pool, String device) {

    @Override
    public String toString() {
        return driver + "/" + pool + "/" + device;
    }
}
