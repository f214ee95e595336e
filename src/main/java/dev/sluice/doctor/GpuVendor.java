package dev.sluice.doctor;

import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.doctor.facts.NodeFacts;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** A vendor of GPUs: its resources, and the labels that show its hardware on a node. */
public enum GpuVendor {
    NVIDIA("NVIDIA", Pattern.compile("feature\\.node\\.kubernetes\\.io/pci-.*10de.*\\.present")),
    AMD("AMD", Pattern.compile("feature\\.node\\.kubernetes\\.io/pci-.*1002.*\\.present"));

    public static final String WORKLOAD = "nvidia.com/gpu.workload.config";

    private static final String DISCOVERED = "feature.node.kubernetes.io/pci-";

    static final String COUNT = "nvidia.com/gpu.count";

    private static final ResourceName AMD_GPU = new ResourceName("amd.com/gpu");
    private static final ResourceName NVIDIA_SHARED = new ResourceName("nvidia.com/gpu.shared");

    /** Clouds set them on their nodes with GPUs, whatever the value. */
    private static final Set<String> CLOUD_LABELS =
            Set.of("cloud.google.com/gke-accelerator", "k8s.amazonaws.com/accelerator");

    private final String title;
    private final Pattern pciLabel;

    GpuVendor(String title, Pattern pciLabel) {
        this.title = title;
        this.pciLabel = pciLabel;
    }

    public String title() {
        return title;
    }

    public ResourceName wholeGpu() {
        return switch (this) {
            case NVIDIA -> ResourceName.NVIDIA_GPU;
            case AMD -> AMD_GPU;
        };
    }

    /** Empty for what is no GPU. */
    public static Optional<GpuVendor> of(ResourceName resource) {
        if (resource.equals(AMD_GPU)) {
            return Optional.of(AMD);
        }
        boolean nvidia = resource.equals(ResourceName.NVIDIA_GPU) || resource.equals(NVIDIA_SHARED) || resource.isMig();
        return nvidia ? Optional.of(NVIDIA) : Optional.empty();
    }

    public static boolean isGpu(ResourceName resource) {
        return of(resource).isPresent();
    }

    public static Amounts gpus(Amounts amounts) {
        return amounts.only(GpuVendor::isGpu);
    }

    /** Those of this vendor; 0 is an amount like any other. */
    public Amounts own(Amounts amounts) {
        return amounts.only(name -> of(name).filter(this::equals).isPresent());
    }

    /** True if the node serves virtual machines, so that containers cannot use its GPUs. */
    public static boolean isForMachines(NodeFacts node) {
        return node.label(WORKLOAD).startsWith("vm-");
    }

    /** The label or resource that shows hardware for containers; empty without it. */
    public Optional<String> hardware(NodeFacts node) {
        if (this == NVIDIA && isForMachines(node)) {
            return Optional.empty();
        }
        Optional<String> label = node.node().labels().entrySet().stream()
                .filter(it -> shows(it.getKey(), it.getValue()))
                .min(Map.Entry.comparingByKey())
                .map(it -> it.getKey() + "=" + it.getValue());
        if (label.isPresent()) {
            return label;
        }
        return own(node.node().capacity()).isEmpty()
                ? Optional.empty()
                : Optional.of("the capacity of " + own(node.node().capacity()));
    }

    private boolean shows(String key, String value) {
        boolean pci = value.equals("true")
                && key.startsWith(DISCOVERED)
                && pciLabel.matcher(key).matches();
        return pci
                || switch (this) {
                    case NVIDIA -> showsNvidia(key, value);
                    case AMD -> showsAmd(key, value);
                };
    }

    private static boolean showsNvidia(String key, String value) {
        return CLOUD_LABELS.contains(key)
                || switch (key) {
                    case "nvidia.com/gpu.present" -> value.equals("true");
                    case COUNT -> LabelNumber.of(value) >= 1;
                    case "kubernetes.azure.com/accelerator" -> value.equals("nvidia");
                    default -> false;
                };
    }

    private static boolean showsAmd(String key, String value) {
        return key.startsWith("amd.com/gpu.")
                || key.startsWith("beta.amd.com/gpu.")
                || (key.equals("feature.node.kubernetes.io/amd-gpu") && value.equals("true"));
    }
}
