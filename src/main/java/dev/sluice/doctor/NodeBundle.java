package dev.sluice.doctor;

import dev.sluice.cluster.quantity.ResourceName;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Holds the output of the script of {@code sluice doctor node} for one node. Information that the node could not
 * provide is empty.
 *
 * @param name the name of the node
 * @param time the time when the node printed the output, in the node's own format
 * @param driver the version of the loaded kernel module
 * @param gpus the GPUs that nvidia-smi lists
 * @param migInstances the number of GPU instances, by the resource under which the device plugin registers them
 * @param complaint the error that nvidia-smi printed instead of a list of GPUs
 * @param xids the Xid errors in the kernel log, the oldest first
 * @param sockets the files in the kubelet's directory of device plugins
 * @param registered the number of registered devices by resource, from the kubelet's checkpoint; empty if there is no
 *     checkpoint
 * @param runtimeKnowsNvidia false if no configuration file of a container runtime contains the word nvidia
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
     * Describes a GPU in the output of nvidia-smi.
     *
     * @param mig the current MIG mode: {@code Enabled}, {@code Disabled}, or another text if the GPU does not support
     *     MIG
     * @param migAfterReset the MIG mode after the next reset of the GPU
     */
    public record GpuLine(String busId, String product, String driver, String mig, String migAfterReset) {
        boolean hasMigOn() {
            return mig.equals("Enabled");
        }
    }

    /**
     * Describes an error that the driver wrote to the kernel log.
     *
     * @param busId the PCI address of the GPU
     * @param code the Xid number
     */
    public record Xid(String busId, int code) {}
}
