package dev.sluice.cluster;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Recognises the labels of nodes that indicate GPUs: labels of node feature discovery, of the vendors' operators, of
 * Karpenter and of clouds.
 */
public final class GpuLabels {

    /** The label with the number of NVIDIA's GPUs on a node, which GPU feature discovery sets. */
    public static final String COUNT = "nvidia.com/gpu.count";

    /** The label that NVIDIA's operator sets on nodes with GPUs. */
    public static final String PRESENT = "nvidia.com/gpu.present";

    public static final String WORKLOAD = "nvidia.com/gpu.workload.config";

    private static final String DEPLOY = "nvidia.com/gpu.deploy.";

    /** The labels that NVIDIA's operator and feature discovery set on a node with GPUs. */
    private static final Set<String> DISCOVERED = Set.of(
            "nvidia.com/gpu.clique",
            COUNT,
            "nvidia.com/gpu.family",
            "nvidia.com/gpu.machine",
            "nvidia.com/gpu.memory",
            "nvidia.com/gpu.mode",
            "nvidia.com/gpu.multiprocessors",
            PRESENT,
            "nvidia.com/gpu.product",
            "nvidia.com/gpu.replicas",
            "nvidia.com/gpu.sharing-strategy",
            "nvidia.com/mig.capable",
            "nvidia.com/mig.strategy",
            "nvidia.com/mps.capable");

    /** The beginnings of further labels that feature discovery sets. */
    private static final List<String> DISCOVERED_GROUPS = List.of(
            "nvidia.com/cuda.",
            "nvidia.com/gpu.compute.",
            "nvidia.com/gpu.engines.",
            "nvidia.com/gpu.slices.",
            "nvidia.com/mig-");

    private static final String PCI = "feature.node.kubernetes.io/pci-";
    private static final String PCI_PRESENT = ".present";

    /**
     * The PCI classes of displays and of accelerators. The devices of other classes on a graphics card, such as sound
     * and USB, are ignored.
     */
    private static final List<String> PCI_CLASSES = List.of("03", "12");

    private static final int PCI_DIGITS = 4;

    /** The first digits of the PCI device numbers of Intel's graphics cards: Max, DG1, Flex and Arc. */
    private static final List<String> INTEL_CARDS = List.of("0bd", "490", "4f8", "56", "e2");

    private static final Set<String> INSTANCE_TYPES =
            Set.of("node.kubernetes.io/instance-type", "beta.kubernetes.io/instance-type");

    /**
     * The labels that name the pool of a node. An autoscaler or an administrator can enlarge such a pool, even if it
     * has no nodes now. A node may have several of these labels. The first label in this list names the smallest pool.
     */
    private static final List<String> POOLS = List.of(
            "karpenter.sh/nodepool",
            "karpenter.sh/provisioner-name",
            "eks.amazonaws.com/nodegroup",
            "alpha.eksctl.io/nodegroup-name",
            "cloud.google.com/gke-nodepool",
            "kubernetes.azure.com/agentpool",
            "agentpool",
            "doks.digitalocean.com/node-pool",
            "lke.linode.com/pool-id",
            "alibabacloud.com/nodepool-id",
            "tke.cloud.tencent.com/nodepool-id",
            "cce.cloud.com/cce-nodepool",
            "ibm-cloud.kubernetes.io/worker-pool-id",
            "ibm-cloud.kubernetes.io/worker-pool-name",
            "compute.coreweave.com/node-pool",
            "k8s.scaleway.com/pool-name",
            "vke.vultr.com/node-pool",
            "node.exoscale.net/nodepool-id",
            "kubernetes.civo.com/civo-node-pool",
            "hcloud/node-group",
            "worker.gardener.cloud/pool",
            "kops.k8s.io/instancegroup",
            "oke.oraclecloud.com/pool.name",
            "node.deckhouse.io/group",
            "yandex.cloud/node-group-id",
            "nebius.com/node-group-id",
            "magnum.openstack.org/nodegroup",
            "spotinst.io/ocean-vng-id",
            "nodepool",
            "machine.openshift.io/cluster-api-machineset",
            "cluster.x-k8s.io/deployment-name",
            "cluster.x-k8s.io/set-name",
            "node.cluster.x-k8s.io/machine-pool",
            "eks.amazonaws.com/compute-type",
            "provisioner.cast.ai/managed-by",
            "cluster.x-k8s.io/cluster-name");

    private static final Set<String> ALL_POOLS = Set.copyOf(POOLS);

    /**
     * Matches label keys that name a pool or a group of nodes or machines, such as
     * {@code hypershift.openshift.io/nodePool}. With this pattern, the pools of platforms that are not in
     * {@link #POOLS} are recognised, too.
     */
    private static final Pattern POOL_NAME = Pattern.compile(
            "(?:[^/]*/)?(?:[^/]*[-_.])?(?:(?:node|machine|worker|agent|instance)[-_]?(?:pool|group)"
                    + "|machine[-_]?(?:set|deployment))(?:[-_.][^/]*)?",
            Pattern.CASE_INSENSITIVE);

    /** The labels that name the model of a node's GPUs: those of the vendors first, then those of clouds. */
    private static final List<String> MODELS = List.of(
            "nvidia.com/gpu.product",
            "amd.com/gpu.product-name",
            "beta.amd.com/gpu.product-name",
            "gpu.intel.com/product",
            "gpu.nvidia.com/model",
            "cloud.google.com/gke-accelerator",
            "k8s.amazonaws.com/accelerator",
            "karpenter.k8s.aws/instance-gpu-name",
            "eks.amazonaws.com/instance-gpu-name",
            "aliyun.accelerator/nvidia_name",
            "doks.digitalocean.com/gpu-model");

    private GpuLabels() {}

    /**
     * The hardware that a label indicates.
     *
     * @param certain false for a PCI device that may be the graphics unit of a processor
     */
    public record Hardware(GpuVendor vendor, boolean certain) {}

    /** Returns the hardware that a label indicates. Returns empty if the label does not indicate a GPU. */
    public static Optional<Hardware> hardware(String key, String value) {
        if (key.startsWith(PCI)) {
            return pci(key, value);
        }
        @Nullable GpuVendor vendor = vendor(key, value);
        return vendor == null ? Optional.empty() : Optional.of(new Hardware(vendor, /* certain= */ true));
    }

    /**
     * Returns a label that indicates a GPU of this vendor, in the form {@code key=value}. Prefers labels that certainly
     * indicate a GPU, and among them the first in alphabetical order. Returns empty if no label indicates a GPU of this
     * vendor.
     *
     * @param certainOnly true to ignore labels that may also describe the graphics unit of a processor
     */
    public static Optional<String> telling(Map<String, String> labels, GpuVendor vendor, boolean certainOnly) {
        String first = "";
        boolean certain = false;
        for (Map.Entry<String, String> label : labels.entrySet()) {
            Optional<Hardware> told = hardware(label.getKey(), label.getValue());
            if (told.isPresent()
                    && told.get().vendor() == vendor
                    && (told.get().certain() || !certainOnly)
                    && isBetter(label.getKey(), told.get().certain(), first, certain)) {
                first = label.getKey();
                certain = told.get().certain();
            }
        }
        return first.isEmpty() ? Optional.empty() : Optional.of(first + "=" + labels.get(first));
    }

    private static boolean isBetter(String key, boolean certain, String other, boolean otherCertain) {
        return other.isEmpty() || (certain == otherCertain ? key.compareTo(other) < 0 : certain);
    }

    /**
     * Returns the hardware that a PCI label of node feature discovery describes. Its key contains some parts of
     * {@code CLASS_VENDOR_DEVICE_SUBSYSTEMVENDOR_SUBSYSTEMDEVICE} in this order. The administrator of node feature
     * discovery selects the parts ({@code deviceLabelFields}). The default is {@code CLASS_VENDOR}. The first part is
     * always the class or the vendor.
     */
    private static Optional<Hardware> pci(String key, String value) {
        if (!value.equals("true") || !key.endsWith(PCI_PRESENT) || key.length() < PCI.length() + PCI_PRESENT.length()) {
            return Optional.empty();
        }
        String device = key.substring(PCI.length(), key.length() - PCI_PRESENT.length());
        boolean classed = device.length() > PCI_DIGITS
                && device.charAt(PCI_DIGITS) == '_'
                && PCI_CLASSES.stream().anyMatch(device::startsWith);
        int start = classed ? PCI_DIGITS + 1 : 0;
        for (GpuVendor vendor : GpuVendor.values()) {
            boolean own = device.startsWith(vendor.pciVendor(), start)
                    && (device.length() == start + PCI_DIGITS || device.charAt(start + PCI_DIGITS) == '_');
            if (own) {
                return classed || mayBeGpu(vendor, device)
                        ? Optional.of(new Hardware(vendor, vendor == GpuVendor.NVIDIA))
                        : Optional.empty();
            }
        }
        return Optional.empty();
    }

    /**
     * Returns true if a PCI label without a class may describe a GPU. Intel makes many other PCI devices. A label that
     * contains a device number of Intel is accepted only if the number belongs to a graphics card.
     */
    private static boolean mayBeGpu(GpuVendor vendor, String device) {
        return vendor != GpuVendor.INTEL
                || device.length() <= PCI_DIGITS
                || INTEL_CARDS.stream().anyMatch(card -> device.startsWith(card, PCI_DIGITS + 1));
    }

    private static @Nullable GpuVendor vendor(String key, String value) {
        return switch (key) {
            case PRESENT, "nvidia.com/mig.capable" -> when(value.equals("true"), GpuVendor.NVIDIA);
            case COUNT -> when(isPositive(value), GpuVendor.NVIDIA);
            case "nvidia.com/gpu.product" -> when(!value.isEmpty(), GpuVendor.NVIDIA);
            case "feature.node.kubernetes.io/amd-gpu", "feature.node.kubernetes.io/amd-vgpu" ->
                when(value.equals("true"), GpuVendor.AMD);
            case "intel.feature.node.kubernetes.io/gpu" -> when(value.equals("true"), GpuVendor.INTEL);
            default -> ofCloud(key, value);
        };
    }

    private static @Nullable GpuVendor when(boolean shown, GpuVendor vendor) {
        return shown ? vendor : null;
    }

    private static @Nullable GpuVendor ofCloud(String key, String value) {
        if (key.startsWith("amd.com/gpu.") || key.startsWith("beta.amd.com/gpu.")) {
            return GpuVendor.AMD;
        }
        if (key.startsWith("gpu.intel.com/device-id.")) {
            return when(key.endsWith(PCI_PRESENT) && value.equals("true"), GpuVendor.INTEL);
        }
        if (INSTANCE_TYPES.contains(key)) {
            return GpuInstanceTypes.vendor(value);
        }
        return switch (key) {
            case "cloud.google.com/gke-accelerator", "k8s.amazonaws.com/accelerator" -> GpuVendor.NVIDIA;
            case "kubernetes.azure.com/accelerator", "accelerator", "doks.digitalocean.com/gpu-brand" ->
                GpuVendor.named(value);
            case "aliyun.accelerator/nvidia_name", "gpu.nvidia.com/model" -> GpuVendor.NVIDIA;
            default -> ofProvisioner(key, value);
        };
    }

    /**
     * Returns the vendor of an instance's GPUs according to a label of Karpenter or EKS. Returns null for any other
     * label.
     */
    private static @Nullable GpuVendor ofProvisioner(String key, String value) {
        boolean provisioner = key.startsWith("karpenter.") || key.startsWith("eks.amazonaws.com/");
        if (!provisioner || value.isEmpty()) {
            return null;
        }
        if (key.endsWith("-gpu-manufacturer")) {
            return GpuVendor.named(value);
        }
        return when(key.endsWith("-gpu-count") && isPositive(value), GpuVendor.NVIDIA);
    }

    private static boolean isPositive(String value) {
        return !value.isEmpty()
                && value.chars().allMatch(c -> c >= '0' && c <= '9')
                && value.chars().anyMatch(c -> c != '0');
    }

    /** Returns true if the node is for virtual machines, so that containers cannot use its GPUs. */
    public static boolean isForMachines(Map<String, String> labels) {
        return labels.getOrDefault(WORKLOAD, "").startsWith("vm-");
    }

    /**
     * Returns true for a label that a node has while NVIDIA's MIG manager changes the MIG configuration of the node.
     * The label of NVSM is ignored, because older MIG managers leave it at {@code paused-for-mig-change} after a failed
     * change.
     */
    public static boolean isOfMigChange(String key, String value) {
        return key.equals("nvidia.com/mig.config.state")
                ? value.equals("pending") || value.equals("rebooting")
                : value.equals("paused-for-mig-change") && key.startsWith(DEPLOY) && !key.equals(DEPLOY + "nvsm");
    }

    /** Returns true for a label that NVIDIA's operator or its feature discovery sets on a node with GPUs. */
    public static boolean isDiscovered(String key) {
        return DISCOVERED.contains(key) || DISCOVERED_GROUPS.stream().anyMatch(key::startsWith);
    }

    /** Returns true if NVIDIA's operator manages the node. GPU feature discovery should then run on the node. */
    public static boolean areOfOperator(Map<String, String> labels) {
        return labels.keySet().stream().anyMatch(key -> key.startsWith(DEPLOY));
    }

    /** Returns true for the label of a node pool that can be enlarged. */
    public static boolean isOfPool(String key) {
        return ALL_POOLS.contains(key) || POOL_NAME.matcher(key).matches();
    }

    /** Returns the name of the pool to which the node belongs. Returns empty if no label names the pool. */
    public static Optional<String> pool(Map<String, String> labels) {
        return first(POOLS, labels)
                .or(() -> labels.entrySet().stream()
                        .filter(label -> !label.getValue().isEmpty() && isOfPool(label.getKey()))
                        .min(Map.Entry.comparingByKey())
                        .map(Map.Entry::getValue));
    }

    /** Returns the model of the node's GPUs from a label of the node. Returns empty if no label names the model. */
    public static Optional<String> model(Map<String, String> labels) {
        return first(MODELS, labels);
    }

    private static Optional<String> first(List<String> keys, Map<String, String> labels) {
        return keys.stream()
                .map(key -> labels.getOrDefault(key, ""))
                .filter(value -> !value.isEmpty())
                .findFirst();
    }

    /** Returns true if a label of the node certainly indicates a GPU. */
    public static boolean indicateGpu(Map<String, String> labels) {
        return labels.entrySet().stream()
                .anyMatch(label -> hardware(label.getKey(), label.getValue())
                        .filter(Hardware::certain)
                        .isPresent());
    }
}
