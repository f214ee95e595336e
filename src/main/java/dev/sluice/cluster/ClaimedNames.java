package dev.sluice.cluster;

import dev.sluice.cluster.quantity.ResourceName;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The resource names for which DRA provides GPUs in the cluster.
 *
 * @param classes the DeviceClass for each of these resource names
 * @param hasDevices true if a driver of GPUs has published devices, even if no class selects them
 * @param isUnknown true if the gateway cannot read the DeviceClasses, so that DRA may provide any resource
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

    /** Returns a predicate for the resource names that DRA provides, and for those that {@code others} accepts. */
    public Predicate<ResourceName> orGpusOf(Predicate<ResourceName> others) {
        return classes.isEmpty() ? others : name -> others.test(name) || classes.containsKey(name);
    }

    /**
     * Returns true for the implicit name of a class that also maps another name. Both names stand for the same devices.
     */
    public boolean isSecondName(ResourceName resource) {
        String own = classes.get(resource);
        return own != null
                && resource.isOfDeviceClass()
                && classes.entrySet().stream()
                        .anyMatch(other -> !other.getKey().isOfDeviceClass()
                                && other.getValue().equals(own));
    }

    /** Returns true if there is any evidence of GPUs, so that the cluster does not count as a cluster without GPUs. */
    public boolean speakOfGpus() {
        return hasDevices || !classes.isEmpty();
    }
}
