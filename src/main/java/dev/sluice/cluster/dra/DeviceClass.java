package dev.sluice.cluster.dra;

import dev.sluice.cluster.GpuVendor;
import dev.sluice.cluster.quantity.ResourceName;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The parts of a DeviceClass that Sluice reads.
 *
 * @param extendedResource the extended resource name in the spec of the class; empty if the spec has none
 */
public record DeviceClass(String name, String extendedResource, Instant created, List<DeviceSelector> selectors) {

    public DeviceClass {
        selectors = List.copyOf(selectors);
    }

    /** Returns the implicit resource name of this class, which Kubernetes derives from the name of the class. */
    public ResourceName implicitName() {
        return ResourceName.ofDeviceClass(name);
    }

    /** Returns the extended resource name in the spec of the class. Returns empty if the spec has none. */
    public Optional<ResourceName> mappedName() {
        return extendedResource.isEmpty() ? Optional.empty() : Optional.of(new ResourceName(extendedResource));
    }

    /**
     * Returns whether a device of this driver belongs to the class. A device belongs to the class if all selectors
     * match.
     */
    public DraCertainty contains(String driver, Device device) {
        return contains(DeviceSelectorInput.of(driver, device));
    }

    DraCertainty contains(DeviceSelectorInput input) {
        DraCertainty answer = DraCertainty.YES;
        for (DeviceSelector selector : selectors) {
            answer = answer.and(selector.matches(input));
            if (answer == DraCertainty.NO) {
                return answer;
            }
        }
        return answer;
    }

    /** Returns false if a selector of the class matches only devices of other drivers. */
    public boolean mayUse(String driver) {
        return selectors.stream()
                .map(DeviceSelector::drivers)
                .allMatch(drivers -> drivers.isEmpty() || drivers.contains(driver));
    }

    /** Returns the drivers that the selectors name; empty if no selector names a driver. */
    public Set<String> drivers() {
        return selectors.stream()
                .flatMap(selector -> selector.drivers().stream())
                .collect(Collectors.toSet());
    }

    /**
     * Returns true if the devices of the class are GPUs: the spec has the extended resource name of a GPU, or the class
     * has the name of a GPU driver, or one of its selectors names a GPU driver.
     */
    public boolean isOfGpus() {
        return mappedName().filter(GpuVendor::isGpu).isPresent()
                || GpuVendor.isDriver(name)
                || selectors.stream()
                        .anyMatch(selector -> selector.drivers().stream().anyMatch(GpuVendor::isDriver));
    }
}
