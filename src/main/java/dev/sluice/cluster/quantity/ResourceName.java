package dev.sluice.cluster.quantity;

import java.util.Optional;
import java.util.regex.Pattern;

/** The name of a resource, for example {@code cpu} or {@code nvidia.com/mig-3g.40gb}. */
public record ResourceName(String value) implements Comparable<ResourceName> {

    public static final ResourceName CPU = new ResourceName("cpu");
    public static final ResourceName MEMORY = new ResourceName("memory");
    public static final ResourceName EPHEMERAL_STORAGE = new ResourceName("ephemeral-storage");
    /** The number of pods on a node; every pod requests one. */
    public static final ResourceName PODS = new ResourceName("pods");

    public static final ResourceName NVIDIA_GPU = new ResourceName("nvidia.com/gpu");

    private static final String MIG_PREFIX = "nvidia.com/mig-";
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?");
    private static final Pattern DOMAIN =
            Pattern.compile("[a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*");
    /** Limits of {@code IsQualifiedName} in apimachinery. */
    private static final int LONGEST_NAME = 63;

    /** 253, less the {@code requests.} that a quota puts before it ({@code IsExtendedResourceName}). */
    private static final int LONGEST_DOMAIN = 244;

    /** The name if it is qualified, {@code domain/name}, as those of extended resources have to be. */
    public static Optional<ResourceName> qualified(String text) {
        int slash = text.indexOf('/');
        if (slash < 0) {
            return Optional.empty();
        }
        String domain = text.substring(0, slash);
        String name = text.substring(slash + 1);
        boolean legal = domain.length() <= LONGEST_DOMAIN
                && DOMAIN.matcher(domain).matches()
                && name.length() <= LONGEST_NAME
                && NAME.matcher(name).matches();
        return legal ? Optional.of(new ResourceName(text)) : Optional.empty();
    }

    /**
     * Counted in whole devices and not overcommittable: outside Kubernetes' own domain and no quota name
     * ({@code IsExtendedResourceName}, pkg/apis/core/v1/helper).
     */
    public boolean isExtended() {
        return value.indexOf('/') > 0 && !value.contains("kubernetes.io/") && !value.startsWith("requests.");
    }

    /** True when the scheduler counts requests of it ({@code Resource.Add}, pkg/scheduler/framework). */
    public boolean isCounted() {
        return equals(CPU)
                || equals(MEMORY)
                || equals(EPHEMERAL_STORAGE)
                || value.startsWith("hugepages-")
                || value.startsWith("attachable-volumes-")
                || (value.indexOf('/') > 0 && !value.startsWith("requests."));
    }

    /** True for a MIG slice as the device plugin names it. */
    public boolean isMig() {
        return value.startsWith(MIG_PREFIX);
    }

    /** As in the fallback annotation: MIG slices without their prefix, {@code nvidia.com/gpu} as {@code gpu}. */
    public String shortName() {
        return isMig() ? value.substring(MIG_PREFIX.length()) : equals(NVIDIA_GPU) ? "gpu" : value;
    }

    /** The name that {@link #shortName} shortens to this text. */
    public static ResourceName ofShort(String text) {
        return text.equals("gpu") ? NVIDIA_GPU : new ResourceName(text.indexOf('/') < 0 ? MIG_PREFIX + text : text);
    }

    @Override
    public int compareTo(ResourceName other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
