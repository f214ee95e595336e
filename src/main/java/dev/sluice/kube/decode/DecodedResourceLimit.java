package dev.sluice.kube.decode;

import dev.sluice.cluster.MigProfile;
import dev.sluice.cluster.MigTables;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.Set;

/**
 * Limits how many different resources of an existing pod are kept. The author of a pod may request any number of
 * resources. A pod that the scheduler has bound stays below the limit, because its node has fewer resources. The usual
 * resources, such as cpu and memory, are always kept.
 */
final class DecodedResourceLimit implements ResourceListDecoder.EntryLimit {

    /**
     * The maximum number of resources that are kept although they are not in {@link #USUAL}. A node has about ten
     * resources, and a pod can only use resources of its node.
     */
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
