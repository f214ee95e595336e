package dev.sluice.doctor.facts;

import dev.sluice.cluster.GpuVendor;
import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.OtherGpuName;
import dev.sluice.cluster.Toleration;
import dev.sluice.cluster.dra.Device;
import dev.sluice.cluster.dra.DraState;
import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Holds the objects of dynamic resource allocation (DRA) in a cluster.
 *
 * @param sliceNodes the names of the nodes for which a ResourceSlice of a GPU driver exists
 * @param state the devices, and the claims to which they are allocated, in the same form as in the gateway's ledger
 */
public record DraFacts(
        List<ClaimFacts> claims, List<DeviceClassFacts> classes, Set<String> sliceNodes, DraState state) {

    private static final String IMPLICIT = "deviceclass.resource.kubernetes.io/";

    /**
     * Describes a ResourceClaim.
     *
     * @param requests the requests for devices of one class, without those for admin access
     * @param equalAttributes the attributes in which all devices of the claim have to be equal
     * @param allocatedTo the constraints on the nodes where the allocated devices can be used; null if the claim is not
     *     allocated
     * @param users the names of the pods that the claim is reserved for
     * @param changed the time of the newest change of the claim: its creation, the request of its deletion, or the last
     *     write of a field manager; null if the claim contains no such time
     */
    public record ClaimFacts(
            String namespace,
            String name,
            List<String> classes,
            List<DeviceRequestFacts> requests,
            List<String> equalAttributes,
            @Nullable NodeConstraints allocatedTo,
            List<String> users,
            @Nullable Instant changed) {}

    /**
     * Describes a request of a claim for devices of one class.
     *
     * @param count the number of devices; 1 if {@code all} is true
     * @param all true if the request asks for all devices of a node that suit it
     * @param selectors the expressions of the request's own selectors, all of which a device has to satisfy
     * @param tolerations the taints of devices that the request tolerates
     * @param capacity the minimum capacities that a device must have, by name
     */
    public record DeviceRequestFacts(
            String name,
            String deviceClass,
            long count,
            boolean all,
            List<String> selectors,
            List<Toleration> tolerations,
            Map<String, Quantity> capacity) {

        /**
         * Returns true if the device has a taint with the effect NoSchedule or NoExecute that the request does not
         * tolerate.
         */
        public boolean isKeptOff(Device device) {
            return device.taints().stream()
                    .anyMatch(taint -> taint.keepsPodsOff()
                            && tolerations.stream().noneMatch(toleration -> toleration.tolerates(taint)));
        }

        /**
         * Returns true if the device has at least the capacities that the request needs. A capacity name without a
         * domain belongs to the domain of the driver.
         */
        public boolean isLargeEnough(Device device, String driver) {
            String domain = driver + "/";
            return capacity.entrySet().stream().allMatch(needed -> {
                String name = needed.getKey();
                Quantity has = Stream.of(
                                name, name.startsWith(domain) ? name.substring(domain.length()) : domain + name)
                        .flatMap(it -> Stream.ofNullable(device.capacity().get(it)))
                        .findFirst()
                        .orElse(null);
                return has != null && has.compareTo(needed.getValue()) >= 0;
            });
        }
    }

    /**
     * Describes a DeviceClass.
     *
     * @param extendedResource the extended resource that the class names in its spec; empty if the class names none
     */
    public record DeviceClassFacts(String name, String extendedResource) {
        public boolean maps(String resource) {
            return extendedResource.equals(resource) || resource.equals(IMPLICIT + name);
        }
    }

    /**
     * Returns true for every known resource name of a GPU or another accelerator, and for the implicit resource name of
     * a DeviceClass.
     */
    public static boolean isDevice(ResourceName resource) {
        return GpuVendor.isGpu(resource) || resource.isOfDeviceClass() || OtherGpuName.is(resource);
    }

    /**
     * Returns true if the resource name is the implicit name that Kubernetes derives from the name of a device class.
     */
    public static boolean isImplicit(String resource) {
        return resource.startsWith(IMPLICIT);
    }
}
