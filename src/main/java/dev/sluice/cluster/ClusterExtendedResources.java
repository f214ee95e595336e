package dev.sluice.cluster;

import dev.sluice.cluster.quantity.ResourceName;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The resource names for which DRA provides GPUs in the cluster.
 *
 * @param classes the DeviceClass for each of these resource names
 * @param hasDevices true if a DRA driver for GPUs has published devices, even if no DeviceClass selects them
 * @param isUnknown true if the gateway cannot read the DeviceClasses, so that DRA may provide any resource
 */
public record ClusterExtendedResources(Map<ResourceName, String> classes, boolean hasDevices, boolean isUnknown) {

    public static final ClusterExtendedResources NONE =
            new ClusterExtendedResources(Map.of(), /* hasDevices= */ false, /* isUnknown= */ false);

    public ClusterExtendedResources {
        classes = Map.copyOf(classes);
    }

    /** Returns the name of the DeviceClass that provides this resource; empty if there is none. */
    public Optional<String> classOf(ResourceName resource) {
        return Optional.ofNullable(classes.get(resource));
    }

    /**
     * Returns a predicate that accepts a resource name if DRA provides GPUs for it, or if {@code others} accepts it.
     */
    public Predicate<ResourceName> orGpusOf(Predicate<ResourceName> others) {
        return classes.isEmpty() ? others : name -> others.test(name) || classes.containsKey(name);
    }

    /**
     * Returns true if the resource name is derived from the name of a DeviceClass that also has an explicit resource
     * name. Both names stand for the same devices.
     */
    public boolean isSecondName(ResourceName resource) {
        String own = classes.get(resource);
        return own != null
                && resource.isOfDeviceClass()
                && classes.entrySet().stream()
                        .anyMatch(other -> !other.getKey().isOfDeviceClass()
                                && other.getValue().equals(own));
    }

    /** Returns true if a DRA driver or a DeviceClass shows that the cluster has GPUs. */
    public boolean speakOfGpus() {
        return hasDevices || !classes.isEmpty();
    }
}
