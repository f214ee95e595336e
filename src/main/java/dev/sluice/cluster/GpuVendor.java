package dev.sluice.cluster;

import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The vendors of GPUs. This type has the only table of the resource names that the device plugins of these vendors
 * register.
 */
public enum GpuVendor {
    NVIDIA("NVIDIA", "10de", "nvidia.com/gpu", "gpu.nvidia.com"),
    AMD("AMD", "1002", "amd.com/gpu", "gpu.amd.com"),
    INTEL("Intel", "8086", "gpu.intel.com/i915", "gpu.intel.com");

    private static final String NVIDIA_DOMAIN = "nvidia.com/";
    private static final String AMD_DOMAIN = "amd.com/";
    private static final String INTEL_DOMAIN = "gpu.intel.com/";

    /** The resource that NVIDIA's plugin for Kata Containers registers for every GPU model. */
    private static final String PASSTHROUGH = "nvidia.com/pgpu";

    /**
     * AMD's plugin can register names of partitions such as {@code cpx_nps4} (strategy "mixed"). This text comes before
     * the number of memory partitions.
     */
    private static final String AMD_MEMORY = "_nps";

    private static final int AMD_COMPUTE_LETTERS = 3;

    /**
     * Matches the beginning of the names of NVIDIA's network cards, such as {@code BF3_p0} of a BlueField-3. Device
     * plugins register these cards in NVIDIA's domain, too.
     */
    private static final Pattern NETWORK_CARD = Pattern.compile("(?:BF|CX|MT|BlueField|ConnectX)[-_]?[0-9]");

    private final String title;
    private final String pciVendor;
    private final String wholeGpu;
    private final String driver;

    GpuVendor(String title, String pciVendor, String wholeGpu, String driver) {
        this.title = title;
        this.pciVendor = pciVendor;
        this.wholeGpu = wholeGpu;
        this.driver = driver;
    }

    public String title() {
        return title;
    }

    /** Returns the PCI vendor ID: four hexadecimal digits, as in the labels of node feature discovery. */
    String pciVendor() {
        return pciVendor;
    }

    public ResourceName wholeGpu() {
        return new ResourceName(wholeGpu);
    }

    /** Returns true for the name of a DRA driver of GPUs. The DeviceClass of the driver has the same name. */
    public static boolean isDriver(String name) {
        return ofDriver(name).isPresent();
    }

    /** Returns the vendor of a DRA driver. Returns empty for drivers of other devices. */
    public static Optional<GpuVendor> ofDriver(String name) {
        return Arrays.stream(values())
                .filter(vendor -> vendor.driver.equals(name))
                .findFirst();
    }

    /** Sets the names that the configuration adds to this table. They are valid for the whole process. */
    public static void addNames(Map<GpuVendor, VendorNames> names) {
        AddedGpuVendorNames.set(names);
    }

    /**
     * Returns the vendor to which the configuration assigns this image of a device plugin. Returns empty if there is
     * none.
     */
    public static Optional<GpuVendor> ofAddedImage(String image) {
        return Optional.ofNullable(AddedGpuVendorNames.vendorWhere(names -> names.hasImage(image)));
    }

    /**
     * Returns the vendor to which the configuration assigns this namespace of a device plugin. Returns empty if there
     * is none.
     */
    public static Optional<GpuVendor> ofAddedNamespace(String namespace) {
        return Optional.ofNullable(
                AddedGpuVendorNames.vendorWhere(names -> names.namespaces().contains(namespace)));
    }

    /** Returns the vendor of a GPU resource. Returns empty if the resource is not a GPU. */
    public static Optional<GpuVendor> of(ResourceName resource) {
        return Optional.ofNullable(vendorOf(resource.value()));
    }

    public static boolean isGpu(ResourceName resource) {
        return vendorOf(resource.value()) != null;
    }

    /**
     * Returns the vendor of a GPU resource; null for any other resource. A resource in a vendor's domain need not be a
     * GPU. For example, nvidia.com/shm is not a GPU.
     */
    private static @Nullable GpuVendor vendorOf(String name) {
        GpuVendor known = knownVendorOf(name);
        return known != null ? known : AddedGpuVendorNames.vendorWhere(names -> names.hasResource(name));
    }

    private static @Nullable GpuVendor knownVendorOf(String name) {
        if (name.startsWith(NVIDIA_DOMAIN)) {
            return isOfNvidia(name) ? NVIDIA : null;
        }
        if (name.startsWith(AMD_DOMAIN)) {
            return isOfAmd(name) ? AMD : null;
        }
        return name.startsWith(INTEL_DOMAIN) || name.equals("intel.com/gpu") ? INTEL : null;
    }

    private static boolean isOfNvidia(String name) {
        return name.equals("nvidia.com/gpu")
                || name.equals("nvidia.com/gpu.shared")
                || name.startsWith("nvidia.com/mig-")
                || isPassthrough(name, NVIDIA_DOMAIN);
    }

    private static boolean isOfAmd(String name) {
        int memory = AMD_DOMAIN.length() + AMD_COMPUTE_LETTERS;
        boolean partition = name.startsWith(AMD_MEMORY, memory) && name.startsWith("px", memory - 2);
        return name.equals("amd.com/gpu") || partition || isPassthrough(name, AMD_DOMAIN);
    }

    /**
     * Returns true for a resource that passes whole GPUs to virtual machines. KubeVirt's device plugin names such a
     * resource after the GPU model, for example nvidia.com/GA102GL_A10.
     */
    private static boolean isPassthrough(String name, String domain) {
        return name.equals(PASSTHROUGH)
                || (name.length() > domain.length()
                        && name.charAt(domain.length()) >= 'A'
                        && name.charAt(domain.length()) <= 'Z'
                        && !NETWORK_CARD
                                .matcher(name)
                                .region(domain.length(), name.length())
                                .lookingAt());
    }

    /** Returns true for a GPU that only virtual machines can use. */
    public static boolean isForMachines(ResourceName resource) {
        return isPassthrough(resource.value(), NVIDIA_DOMAIN) || isPassthrough(resource.value(), AMD_DOMAIN);
    }

    /** Returns true for the resource with which Intel's plugin lets a pod monitor GPUs without using one. */
    public static boolean isForMonitoring(ResourceName resource) {
        return resource.value().startsWith(INTEL_DOMAIN) && resource.value().endsWith("monitoring");
    }

    public static Amounts gpus(Amounts amounts) {
        return amounts.only(GpuVendor::isGpu);
    }

    /** Returns the amounts of this vendor's GPU resources, including those that are 0. */
    public Amounts own(Amounts amounts) {
        return amounts.only(name -> vendorOf(name.value()) == this);
    }

    /**
     * Returns the vendor whose name is the beginning of {@code name}; null if there is none. A cloud has set
     * {@code name} as the value of a label.
     */
    static @Nullable GpuVendor named(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        for (GpuVendor vendor : values()) {
            if (lower.startsWith(vendor.title.toLowerCase(Locale.ROOT))) {
                return vendor;
            }
        }
        return null;
    }
}
