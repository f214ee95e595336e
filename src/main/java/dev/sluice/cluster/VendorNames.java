package dev.sluice.cluster;

import java.util.Set;

/**
 * The names by which GPUs of a vendor are recognised, in addition to those that {@link GpuVendor} contains.
 *
 * @param resources names of extended resources; a name that ends with {@code *} matches all names with the same
 *     beginning
 * @param images the names of device plugins' images, without registry and tag
 * @param namespaces the namespaces of device plugins
 */
public record VendorNames(Set<String> resources, Set<String> images, Set<String> namespaces) {

    public static final VendorNames NONE = new VendorNames(Set.of(), Set.of(), Set.of());

    public VendorNames {
        resources = Set.copyOf(resources);
        images = Set.copyOf(images);
        namespaces = Set.copyOf(namespaces);
    }

    boolean hasResource(String name) {
        return resources.contains(name)
                || resources.stream()
                        .anyMatch(it -> it.endsWith("*") && name.startsWith(it.substring(0, it.length() - 1)));
    }

    /**
     * Returns true if {@link #images} contains the name of this image.
     *
     * @param image an image with or without its registry, without its tag
     */
    boolean hasImage(String image) {
        return images.contains(image.substring(image.lastIndexOf('/') + 1));
    }
}
