package dev.sluice.kube.decode;

import dev.sluice.cluster.MigProfile;
import dev.sluice.cluster.MigTables;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.Set;

/**
 * Limits the resources of an existing pod that are counted. No pod that the scheduler can place reaches the limit; a
 * pod that sets its nodeName may have any number, and keeps the usual ones.
 */
final class CountedResources implements ResourceListDecoder.EntryLimit {

    /** A node has some ten resources, and a pod can only use those of its node. */
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
}
