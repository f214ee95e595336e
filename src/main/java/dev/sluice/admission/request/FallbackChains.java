package dev.sluice.admission.request;

import dev.sluice.cluster.GpuVendor;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The fallback chains. The chain of a requested resource lists the resources that a pod may get instead, in the order
 * of preference. The requested resource itself is not in its chain.
 *
 * @param byHead the chain of each requested resource, in the order in which the user wrote the chains
 * @param names all resources in the chains
 */
public record FallbackChains(Map<ResourceName, List<ResourceName>> byHead, Set<ResourceName> names) {

    public static final FallbackChains NONE = FallbackChains.of(Map.of());

    /** The default chains. They are meant for GPUs with 80 GB. */
    public static final FallbackChains DEFAULT = defaults();

    public static FallbackChains of(Map<ResourceName, List<ResourceName>> byHead) {
        Map<ResourceName, List<ResourceName>> copy = new LinkedHashMap<>();
        byHead.forEach((head, chain) -> copy.put(head, List.copyOf(chain)));
        Set<ResourceName> names = new HashSet<>(copy.keySet());
        copy.values().forEach(names::addAll);
        return new FallbackChains(Collections.unmodifiableMap(copy), Set.copyOf(names));
    }

    private static FallbackChains defaults() {
        Map<ResourceName, List<ResourceName>> chains = new LinkedHashMap<>();
        chains.put(mig("2g.20gb"), List.of(mig("1g.10gb"), ResourceName.NVIDIA_GPU));
        chains.put(mig("3g.30gb"), List.of(mig("2g.20gb"), mig("1g.10gb"), ResourceName.NVIDIA_GPU));
        chains.put(mig("3g.40gb"), List.of(mig("2g.20gb"), mig("1g.10gb"), ResourceName.NVIDIA_GPU));
        chains.put(mig("1g.10gb"), List.of(mig("2g.20gb"), ResourceName.NVIDIA_GPU));
        return of(chains);
    }

    private static ResourceName mig(String profile) {
        return new ResourceName("nvidia.com/mig-" + profile);
    }

    /** Returns the chain of {@code asked}, without {@code asked} itself. */
    public List<ResourceName> after(ResourceName asked) {
        return byHead.getOrDefault(asked, List.of());
    }

    /**
     * Returns true for a resource in these chains, and for a resource that the device plugin of a GPU vendor registers.
     */
    public boolean isGpu(ResourceName name) {
        return names.contains(name) || GpuVendor.isGpu(name);
    }
}
