package dev.sluice.cluster.quantity;

import java.util.Optional;
import java.util.Set;

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
     * The resources that HAMi's scheduler extender manages. The resources that count devices are left out. The names
     * are the defaults of HAMi's Helm chart.
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
        boolean legal = slash <= LONGEST_DOMAIN
                && isDomain(text, slash)
                && text.length() - slash - 1 <= LONGEST_NAME
                && isPart(text, slash + 1, text.length(), /* ofDomain= */ false);
        return legal ? Optional.of(new ResourceName(text)) : Optional.empty();
    }

    // The following methods check names with loops, because regular expressions took 1% of the processor time of a
    // review.

    /** Returns true if the text before {@code end} is a DNS subdomain. */
    private static boolean isDomain(String text, int end) {
        int begin = 0;
        for (int dot = text.indexOf('.'); dot >= 0 && dot < end; dot = text.indexOf('.', begin)) {
            if (!isPart(text, begin, dot, /* ofDomain= */ true)) {
                return false;
            }
            begin = dot + 1;
        }
        return isPart(text, begin, end, /* ofDomain= */ true);
    }

    /**
     * Returns true if the text from {@code begin} to {@code end} begins and ends with a letter or digit and has only
     * legal characters in between.
     */
    private static boolean isPart(String text, int begin, int end, boolean ofDomain) {
        if (begin == end || !isLetterOrDigit(text.charAt(begin)) || !isLetterOrDigit(text.charAt(end - 1))) {
            return false;
        }
        for (int i = begin; i < end; i++) {
            char c = text.charAt(i);
            boolean isLegal = ofDomain
                    ? (isLetterOrDigit(c) && !(c >= 'A' && c <= 'Z')) || c == '-'
                    : isLetterOrDigit(c) || c == '-' || c == '.' || c == '_';
            if (!isLegal) {
                return false;
            }
        }
        return true;
    }

    private static boolean isLetterOrDigit(char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z');
    }

    /**
     * Returns true if this is the name of an extended resource. Extended resources are counted in whole devices and
     * cannot be overcommitted. The name has a domain other than the domains of Kubernetes, and does not have the prefix
     * {@code requests.} of a quota ({@code IsExtendedResourceName}, pkg/apis/core/v1/helper). A name that Kubernetes
     * derives from a DeviceClass is also the name of an extended resource ({@code IsDRAExtendedResourceName},
     * pkg/scheduler/util).
     */
    public boolean isExtended() {
        return isOfDeviceClass()
                || (value.indexOf('/') > 0 && !value.contains("kubernetes.io/") && !value.startsWith("requests."));
    }

    /**
     * Returns the reason, as a clause, why the API server refuses the name in the resources of a container
     * ({@code validateContainerResourceName}, pkg/apis/core/validation). Returns empty if it accepts the name.
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

    /** Returns true if a scheduler extender manages the resource and its name contains the model of a device. */
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
