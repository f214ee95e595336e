package dev.sluice.podspec;

import dev.sluice.mig.MigProfile;
import dev.sluice.mig.MigTables;
import dev.sluice.quantity.ResourceName;
import java.util.Set;

/**
 * Which resources of a pod that exists are counted. All of them, up to a number that no pod reaches which the scheduler
 * could place; a pod that names its node itself may have as many as its author writes, and keeps what nodes can have.
 */
final class CountedResources implements ResourceListDecoder.EntryLimit {

    /** A node has some ten resources, and a pod can only use what its node has. */
    private static final int MAX_UNUSUAL = 64;

    private static final Set<ResourceName> USUAL = Set.of(
            ResourceName.CPU,
            ResourceName.MEMORY,
            ResourceName.EPHEMERAL_STORAGE,
            ResourceName.NVIDIA_GPU,
            new ResourceName("nvidia.com/gpu.shared"),
            new ResourceName("amd.com/gpu"));

    private int unusual;

    @Override
    public boolean takes(ResourceName name) {
        if (!name.isCounted()) {
            return false;
        }
        if (USUAL.contains(name)
                || MigProfile.ofResource(name).filter(MigTables::isKnown).isPresent()) {
            return true;
        }
        unusual++;
        return unusual <= MAX_UNUSUAL;
    }

    /** They are gone as soon as the pod is added up. */
    @Override
    public boolean takesZero() {
        return true;
    }
}
