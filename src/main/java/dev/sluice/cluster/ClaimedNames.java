package dev.sluice.cluster;

import dev.sluice.cluster.quantity.ResourceName;
import java.util.Map;
import java.util.Optional;

/**
 * What is known in the cluster of GPUs that DRA hands out.
 *
 * @param classes the DeviceClass for each resource name that stands for GPUs
 * @param hasDevices true if a driver of GPUs has published devices, even if no class names them
 * @param isUnknown true if the gateway cannot read the DeviceClasses, so that DRA may hand out any resource
 */
public record ClaimedNames(Map<ResourceName, String> classes, boolean hasDevices, boolean isUnknown) {

    public static final ClaimedNames NONE = new ClaimedNames(Map.of(), /* hasDevices= */ false, /* isUnknown= */ false);

    public ClaimedNames {
        classes = Map.copyOf(classes);
    }

    /** Returns the name of the class for requests of this resource. */
    public Optional<String> classOf(ResourceName resource) {
        return Optional.ofNullable(classes.get(resource));
    }

    /** Returns true if something speaks of GPUs, so that the cluster cannot count as one without them. */
    public boolean speakOfGpus() {
        return hasDevices || !classes.isEmpty();
    }
}
