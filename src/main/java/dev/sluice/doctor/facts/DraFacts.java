package dev.sluice.doctor.facts;

import dev.sluice.cluster.NodeConstraints;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is known of dynamic resource allocation.
 *
 * @param sliceNodes the nodes that ResourceSlices name
 */
public record DraFacts(List<ClaimFacts> claims, List<DeviceClassFacts> classes, Set<String> sliceNodes) {

    private static final String IMPLICIT = "deviceclass.resource.kubernetes.io/";

    /**
     * A ResourceClaim.
     *
     * @param allocatedTo where its devices are; null while it is not allocated
     * @param users the pods that it is reserved for, by name
     */
    public record ClaimFacts(
            String namespace,
            String name,
            List<String> classes,
            @Nullable NodeConstraints allocatedTo,
            List<String> users) {}

    /** A DeviceClass; {@code extendedResource} is empty where it maps none by name. */
    public record DeviceClassFacts(String name, String extendedResource) {
        public boolean maps(String resource) {
            return extendedResource.equals(resource) || resource.equals(IMPLICIT + name);
        }
    }

    /** True for a resource that is named after a device class. */
    public static boolean isImplicit(String resource) {
        return resource.startsWith(IMPLICIT);
    }
}
