package dev.sluice.cluster;

import dev.sluice.cluster.quantity.ResourceName;
import java.util.Optional;
import java.util.Set;

/** Recognizes pairs of resource names that users confuse, because a cluster often has only one name of the pair. */
public final class AlikeGpuNames {

    /**
     * The two names under which Intel's device plugin may register a GPU. The kernel driver of the GPU determines the
     * name.
     */
    private static final Set<String> BY_DRIVER = Set.of("gpu.intel.com/i915", "gpu.intel.com/xe");

    private AlikeGpuNames() {}

    /**
     * Returns true if the names differ only in one part: the suffix for shared GPUs, the memory of a MIG profile (it
     * depends on the GPU model), or the driver.
     */
    public static boolean are(ResourceName one, ResourceName other) {
        return !one.equals(other)
                && (unshared(one).equals(unshared(other))
                        || (BY_DRIVER.contains(one.value()) && BY_DRIVER.contains(other.value()))
                        || areSameSlice(one, other));
    }

    /** Returns the name without the suffix that time-slicing and MPS can add to shared resources. */
    public static String unshared(ResourceName name) {
        String value = name.value();
        return value.endsWith(MigProfile.SHARED_SUFFIX)
                ? value.substring(0, value.length() - MigProfile.SHARED_SUFFIX.length())
                : value;
    }

    private static boolean areSameSlice(ResourceName one, ResourceName other) {
        Optional<MigProfile> slice = withoutMemory(one);
        return slice.isPresent() && slice.equals(withoutMemory(other));
    }

    private static Optional<MigProfile> withoutMemory(ResourceName name) {
        return MigProfile.ofResource(name)
                .map(profile -> new MigProfile(profile.computePart(), profile.slices(), 0, profile.attribute()));
    }
}
