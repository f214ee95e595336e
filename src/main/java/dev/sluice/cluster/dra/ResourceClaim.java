package dev.sluice.cluster.dra;

import java.util.List;

/**
 * A ResourceClaim with the devices that are allocated to it.
 *
 * @param ofPod the pod for which the scheduler created the claim, because the pod requests devices as extended
 *     resources; empty for other claims
 * @param classes the DeviceClasses that the requests of the claim name
 * @param users the names of the pods for which the claim is reserved
 * @param devices the allocated devices; devices for admin access are left out, because other claims can still use them
 */
public record ResourceClaim(
        String namespace,
        String name,
        String ofPod,
        List<String> classes,
        List<String> users,
        List<AllocatedDevice> devices) {

    public ResourceClaim {
        classes = List.copyOf(classes);
        users = List.copyOf(users);
        devices = List.copyOf(devices);
    }

    /**
     * A device that is allocated to a claim.
     *
     * @param shared true if the claim uses only a share of the device
     */
    public record AllocatedDevice(DeviceId id, boolean shared) {}
}
