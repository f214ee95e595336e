package dev.sluice.cluster.dra;

import dev.sluice.cluster.Taint;
import dev.sluice.cluster.quantity.Quantity;
import java.util.List;
import java.util.Map;

/**
 * A device in a ResourceSlice.
 *
 * @param attributes the attributes by name; a name without a domain belongs to the driver
 * @param capacity the capacities by name; a name without a domain belongs to the driver
 * @param taints all taints of the device, with any effect
 * @param consumes the amounts that the device takes from the counters of its pool while it is allocated
 * @param nodes the nodes on which the device can be used, if its ResourceSlice specifies nodes for each device
 *     ({@code perDeviceNodeSelection})
 * @param shared true if several claims can use the device at the same time ({@code allowMultipleAllocations})
 * @param boundLate true if the device has binding conditions ({@code bindingConditions}). The scheduler tries the pools
 *     with such devices last
 */
public record Device(
        String name,
        Map<String, AttributeValue> attributes,
        Map<String, Quantity> capacity,
        List<Taint> taints,
        List<DeviceCounterSet> consumes,
        ResourceSliceNodes nodes,
        boolean shared,
        boolean boundLate) {

    public Device {
        attributes = Map.copyOf(attributes);
        capacity = Map.copyOf(capacity);
        taints = List.copyOf(taints);
        consumes = List.copyOf(consumes);
    }

    /**
     * Returns true if a taint excludes pods that request the device through an extended resource. The ResourceClaims
     * that the scheduler creates for extended resources have no tolerations.
     */
    public boolean isTainted() {
        return taints.stream().anyMatch(Taint::keepsPodsOff);
    }

    /** Returns a copy for a request that tolerates all taints. */
    public Device withoutTaints() {
        return taints.isEmpty()
                ? this
                : new Device(name, attributes, capacity, List.of(), consumes, nodes, shared, boundLate);
    }
}
