package dev.sluice.doctor;

import dev.sluice.cluster.quantity.ResourceName;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What {@code sluice doctor node} printed on one node. What the node could not say is empty.
 *
 * @param name of the node
 * @param time when the node printed it, as it wrote it
 * @param driver version of the loaded kernel module
 * @param gpus as nvidia-smi lists them
 * @param migInstances how many GPU instances there are of each resource that the device plugin makes of them
 * @param complaint what nvidia-smi said instead of listing GPUs
 * @param xids errors of the driver in the kernel's log, the oldest first
 * @param sockets files in the directory of the device plugins
 * @param registered devices by resource, as the kubelet's checkpoint has them; empty without a checkpoint
 * @param runtimeKnowsNvidia false if no configuration of a container runtime names nvidia
 */
public record NodeBundle(
        String name,
        String time,
        Optional<String> driver,
        List<GpuLine> gpus,
        Map<ResourceName, Integer> migInstances,
        Optional<String> complaint,
        List<Xid> xids,
        Optional<List<String>> sockets,
        Map<ResourceName, Long> registered,
        boolean runtimeKnowsNvidia) {

    public NodeBundle {
        gpus = List.copyOf(gpus);
        migInstances = Map.copyOf(migInstances);
        xids = List.copyOf(xids);
        registered = Map.copyOf(registered);
    }

    /**
     * A GPU.
     *
     * @param mig {@code Enabled}, {@code Disabled}, or something else where the GPU has no MIG
     * @param migAfterReset what {@code mig} becomes when the GPU is reset
     */
    public record GpuLine(String busId, String product, String driver, String mig, String migAfterReset) {
        boolean hasMigOn() {
            return mig.equals("Enabled");
        }
    }

    /** An error that the driver wrote into the kernel's log, for the GPU at this address of the PCI bus. */
    public record Xid(String busId, int code) {}
}
