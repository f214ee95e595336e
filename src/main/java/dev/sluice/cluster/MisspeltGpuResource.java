package dev.sluice.cluster;

import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.text.EditDistance;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds the GPU resource that a user probably meant by a misspelt name. Sluice does not know every correct name.
 * Therefore the caller must also check that no node has a resource with the given name.
 */
public final class MisspeltGpuResource {

    /**
     * The maximum number of inserted, deleted and replaced letters. With more edits, a name would become the name of
     * another vendor.
     */
    private static final int MOST_EDITS = 2;

    private static final List<ResourceName> WITHOUT_SLICES = List.of(
            ResourceName.NVIDIA_GPU,
            new ResourceName("nvidia.com/gpu.shared"),
            new ResourceName("amd.com/gpu"),
            new ResourceName("intel.com/gpu"),
            new ResourceName("gpu.intel.com/i915"),
            new ResourceName("gpu.intel.com/xe"));

    private static final Set<ResourceName> KNOWN =
            Stream.concat(WITHOUT_SLICES.stream(), MigTables.resources()).collect(Collectors.toUnmodifiableSet());

    /** The name of NVIDIA's GPUs before Kubernetes had device plugins. Manifests of that time are still in use. */
    private static final ResourceName BEFORE_PLUGINS = new ResourceName("alpha.kubernetes.io/nvidia-gpu");

    private static final Pattern PREFIX_IN_QUOTA = Pattern.compile("^(requests|limits)\\.");
    private static final Pattern VENDOR_WITHOUT_DOMAIN = Pattern.compile("^(nvidia|amd|intel)[/-]");
    private static final Pattern MIG_PREFIX = Pattern.compile("^nvidia\\.com/mig[_.]?(?=[0-9])");

    private MisspeltGpuResource() {}

    /**
     * Returns the resource that was meant by a name such as {@code nvidia.com/gpus} or {@code nvidia.com/mig-3g40gb}.
     * Returns empty if the name is correct, or is not similar to a known name.
     */
    public static Optional<ResourceName> of(ResourceName written) {
        // This check comes first, because most names are correct, and the method is called for each review of a pod
        // with a fallback.
        if (KNOWN.contains(written)) {
            return Optional.empty();
        }
        if (written.equals(BEFORE_PLUGINS)) {
            return Optional.of(ResourceName.NVIDIA_GPU);
        }
        String lowerCase = written.value().toLowerCase(Locale.ROOT);
        String withoutPrefix = PREFIX_IN_QUOTA.matcher(lowerCase).replaceFirst("");
        String withDomain = VENDOR_WITHOUT_DOMAIN.matcher(withoutPrefix).replaceFirst("$1.com/");
        ResourceName folded = new ResourceName(MIG_PREFIX.matcher(withDomain).replaceFirst("nvidia.com/mig-"));
        if (KNOWN.contains(folded)) {
            return Optional.of(folded);
        }
        return MigProfile.meant(folded).or(() -> similar(folded.value()));
    }

    private static Optional<ResourceName> similar(String folded) {
        if (folded.startsWith(MigProfile.RESOURCE_PREFIX)) {
            // None of the names in WITHOUT_SLICES is similar to the name of a MIG slice, so the search would take time
            // for nothing.
            return Optional.empty();
        }
        ResourceName nearest = null;
        int fewest = MOST_EDITS + 1;
        for (ResourceName known : WITHOUT_SLICES) {
            int edits = edits(folded, known);
            if (edits < fewest) {
                nearest = known;
                fewest = edits;
            }
        }
        return Optional.ofNullable(nearest);
    }

    /**
     * Returns the edit distance of the two names. Returns the maximum integer if their lengths differ too much, because
     * the computation for very long names would take long.
     */
    private static int edits(String folded, ResourceName known) {
        String value = known.value();
        return Math.abs(folded.length() - value.length()) > MOST_EDITS
                ? Integer.MAX_VALUE
                : EditDistance.between(folded, value);
    }
}
