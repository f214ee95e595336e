package dev.sluice.doctor.facts;

import dev.sluice.cluster.GpuVendor;
import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.dra.DraState;
import dev.sluice.cluster.quantity.ResourceName;
import java.time.Instant;
import java.util.List;
import java.util.Set;
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
     * @param requests the requests for an exact number of devices of one class
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
     * Describes a request of a claim for an exact number of devices of one class.
     *
     * @param selectors the expressions of the request's own selectors, all of which a device has to satisfy
     */
    public record DeviceRequestFacts(String name, String deviceClass, long count, List<String> selectors) {}

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
     * Returns true for the resource name of a GPU, whoever offers it, and for the implicit resource name of a
     * DeviceClass.
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
