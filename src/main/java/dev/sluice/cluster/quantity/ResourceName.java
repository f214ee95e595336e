package dev.sluice.cluster.quantity;

import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** The name of a resource, for example {@code cpu} or {@code nvidia.com/mig-3g.40gb}. */
public record ResourceName(String value) implements Comparable<ResourceName> {

    public static final ResourceName CPU = new ResourceName("cpu");
    public static final ResourceName MEMORY = new ResourceName("memory");
    public static final ResourceName EPHEMERAL_STORAGE = new ResourceName("ephemeral-storage");
    /** The resource {@code pods}. Its amount is the number of pods that a node allows, and each pod requests 1. */
    public static final ResourceName PODS = new ResourceName("pods");

    public static final ResourceName NVIDIA_GPU = new ResourceName("nvidia.com/gpu");

    private static final String DEVICE_CLASS_PREFIX = "deviceclass.resource.kubernetes.io/";
    private static final String MIG_PREFIX = "nvidia.com/mig-";
    /**
     * The resources that HAMi's scheduler extender manages in addition to the number of devices. The names are the
     * defaults of HAMi's Helm chart.
     */
    private static final Set<String> MANAGED_BY_EXTENDER = Set.of(
            "nvidia.com/gpumem",
            "nvidia.com/gpumem-percentage",
            "nvidia.com/gpucores",
            "nvidia.com/priority",
            "amd.com/gpumem",
            "amd.com/gpucores",
            "enflame.com/gcu-memory",
            "enflame.com/gcu-core",
            "hygon.com/dcumem",
            "hygon.com/dcucores",
            "kunlunxin.com/vxpu-memory",
            "metax-tech.com/vmemory",
            "metax-tech.com/vcore");

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?");
    private static final Pattern DOMAIN =
            Pattern.compile("[a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*");
    /** The maximum length of the part after the slash ({@code IsQualifiedName} of apimachinery). */
    private static final int LONGEST_NAME = 63;

    /**
     * The maximum length of the domain of an extended resource: 253 characters, less the prefix {@code requests.} of a
     * quota ({@code IsExtendedResourceName}).
     */
    private static final int LONGEST_DOMAIN = 244;

    /**
     * Returns the resource name if the text has the form {@code domain/name}, which the names of extended resources
     * must have. Otherwise returns empty.
     */
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
     * Returns true for an extended resource, which is counted in whole devices and cannot be overcommitted. Its name
     * has a domain that is not a domain of Kubernetes, and does not begin with {@code requests.} like the names in a
     * quota ({@code IsExtendedResourceName}, pkg/apis/core/v1/helper). The names that Kubernetes derives from
     * DeviceClasses are also names of extended resources ({@code IsDRAExtendedResourceName}, pkg/scheduler/util).
     */
    public boolean isExtended() {
        return isOfDeviceClass()
                || (value.indexOf('/') > 0 && !value.contains("kubernetes.io/") && !value.startsWith("requests."));
    }

    /**
     * Returns the reason why the API server refuses the name in the resources of a container
     * ({@code validateContainerResourceName}, pkg/apis/core/validation), as a clause; empty if it accepts the name.
     */
    public Optional<String> whyRefusedInContainer() {
        if (value.indexOf('/') < 0) {
            boolean isStandard =
                    equals(CPU) || equals(MEMORY) || equals(EPHEMERAL_STORAGE) || value.startsWith("hugepages-");
            return isStandard ? Optional.empty() : Optional.of("its name has no domain");
        }
        if (qualified(value).isEmpty()) {
            return Optional.of("its name is not legal");
        }
        return value.startsWith("requests.") && !value.contains("kubernetes.io/")
                ? Optional.of("such names are for quotas")
                : Optional.empty();
    }

    /** Returns true for a name that Kubernetes derives from the name of a DeviceClass. */
    public boolean isOfDeviceClass() {
        return value.startsWith(DEVICE_CLASS_PREFIX);
    }

    /** Returns the resource name that Kubernetes derives from the name of a DeviceClass. */
    public static ResourceName ofDeviceClass(String name) {
        return new ResourceName(DEVICE_CLASS_PREFIX + name);
    }

    /**
     * Returns true if the scheduler counts requests of the resource ({@code Resource.Add}, pkg/scheduler/framework).
     */
    public boolean isCounted() {
        return equals(CPU)
                || equals(MEMORY)
                || equals(EPHEMERAL_STORAGE)
                || value.startsWith("hugepages-")
                || value.startsWith("attachable-volumes-")
                || (value.indexOf('/') > 0 && !value.startsWith("requests."));
    }

    /**
     * Returns true if a scheduler extender decides whether a node has enough of the resource. kube-scheduler itself
     * ignores such a resource ({@code ignoredByScheduler}, pkg/scheduler/extender.go), and nodes do not report it or
     * report 0.
     */
    public boolean isManagedByExtender() {
        return MANAGED_BY_EXTENDER.contains(value) || isOfAModelManagedByExtender(value);
    }

    /** Returns true for the same resources of vendors whose names contain the model of the device. */
    private static boolean isOfAModelManagedByExtender(String name) {
        return name.startsWith("huawei.com/Ascend")
                ? name.endsWith("-memory") || name.endsWith("-core")
                : name.startsWith("iluvatar.ai/") && (name.endsWith(".vMem") || name.endsWith(".vCore"));
    }

    /** Returns true if the name has the prefix that NVIDIA's device plugin uses for MIG instances. */
    public boolean isMig() {
        return value.startsWith(MIG_PREFIX);
    }

    /**
     * Returns the short name, which users write in the fallback annotation. It is {@code gpu} for
     * {@code nvidia.com/gpu}, and the profile such as {@code 1g.10gb} for a MIG instance. All other names are
     * unchanged.
     */
    public String shortName() {
        return isMig() ? value.substring(MIG_PREFIX.length()) : equals(NVIDIA_GPU) ? "gpu" : value;
    }

    /** Returns the name of a resource from its {@link #shortName}. */
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
