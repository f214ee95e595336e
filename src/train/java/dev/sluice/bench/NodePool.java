package dev.sluice.bench;

import java.util.ArrayList;
import java.util.List;

/**
 * Machines that were bought together.
 *
 * @param share how common they are
 * @param product the GPU as GPU feature discovery names it, empty where there is none
 * @param devices resource maps' lines for devices
 * @param taints lines of {@code spec.taints}
 */
record NodePool(String name, int share, String product, List<String> devices, List<String> taints) {

    static final int ZONES = 3;

    private static final String GPU_TAINT = taint("nvidia.com/gpu", "present");

    /** No pool has 3g.40gb, so that pods which ask for it fall back; only one has 2g.20gb and 1g.10gb together. */
    static List<NodePool> all() {
        return List.of(
                new NodePool("general", 20, "", List.of(), List.of()),
                new NodePool("general-large", 12, "", List.of(), List.of()),
                new NodePool("ingress", 3, "", List.of(), List.of(taint("dedicated", "ingress"))),
                gpu("a100-whole", 12, "NVIDIA-A100-SXM4-80GB", 8),
                gpu("h100-train", 12, "NVIDIA-H100-80GB-HBM3", 8).tainted(GPU_TAINT),
                gpu("h100-research", 5, "NVIDIA-H100-80GB-HBM3", 8).tainted(GPU_TAINT, taint("dedicated", "research")),
                gpu("l40s-inference", 8, "NVIDIA-L40S", 4).tainted(GPU_TAINT),
                gpu("t4-notebooks", 6, "Tesla-T4", 1),
                new NodePool(
                        "l4-shared", 5, "NVIDIA-L4-SHARED", List.of(device("nvidia.com/gpu.shared", 16)), List.of()),
                new NodePool(
                        "a100-slices",
                        8,
                        "NVIDIA-A100-SXM4-80GB",
                        List.of(device("nvidia.com/mig-1g.10gb", 56)),
                        List.of()),
                new NodePool(
                        "a100-mixed",
                        6,
                        "NVIDIA-A100-SXM4-80GB",
                        List.of(device("nvidia.com/mig-1g.10gb", 8), device("nvidia.com/mig-2g.20gb", 24)),
                        List.of()),
                new NodePool(
                        "mi300x", 3, "", List.of(device("amd.com/gpu", 8)), List.of(taint("amd.com/gpu", "present"))));
    }

    private static NodePool gpu(String name, int share, String product, int count) {
        return new NodePool(name, share, product, List.of(device("nvidia.com/gpu", count)), List.of());
    }

    private NodePool tainted(String... with) {
        return new NodePool(name, share, product, devices, List.of(with));
    }

    private static String taint(String key, String value) {
        return "{\"effect\": \"NoSchedule\", \"key\": \"%s\", \"value\": \"%s\"}".formatted(key, value);
    }

    private static String device(String resource, int count) {
        return "\"%s\": \"%d\"".formatted(resource, count);
    }

    List<String> taints(boolean cordoned) {
        List<String> lines = new ArrayList<>(taints);
        if (cordoned) {
            lines.add("{\"effect\": \"NoSchedule\", \"key\": \"node.kubernetes.io/unschedulable\"}");
        }
        return lines;
    }

    /** More than 30 for GPU nodes, of which hostname, instance and timestamp are each node's own. */
    List<String> labels(int number, String rack) {
        List<String> labels = new ArrayList<>();
        add(labels, "beta.kubernetes.io/arch", "amd64");
        add(labels, "beta.kubernetes.io/os", "linux");
        add(labels, "kubernetes.io/arch", "amd64");
        add(labels, "kubernetes.io/os", "linux");
        add(labels, "kubernetes.io/hostname", SampleNodes.name(number));
        add(labels, "node.kubernetes.io/instance-type", name + ".48xlarge");
        add(labels, "node.kubernetes.io/instance-id", "i-%017x".formatted(number * 7_919L));
        add(labels, "node.example.com/pool", name);
        add(labels, "node.example.com/rack", rack);
        add(labels, "topology.kubernetes.io/region", "eu-central");
        add(labels, "topology.kubernetes.io/zone", "eu-central-" + "abc".charAt(number % ZONES));
        add(labels, "topology.ebs.csi.example.com/zone", "eu-central-" + "abc".charAt(number % ZONES));
        add(labels, "feature.node.kubernetes.io/cpu-model.vendor_id", "AMD");
        add(labels, "feature.node.kubernetes.io/cpu-cpuid.AVX512F", "true");
        add(labels, "feature.node.kubernetes.io/kernel-version.full", "6.8.0-64-generic");
        add(labels, "feature.node.kubernetes.io/kernel-version.major", "6");
        add(labels, "feature.node.kubernetes.io/system-os_release.ID", "ubuntu");
        add(labels, "feature.node.kubernetes.io/pci-1002.present", "false");
        if (!product.isEmpty()) {
            addGpuLabels(labels, number);
        }
        return labels;
    }

    private void addGpuLabels(List<String> labels, int number) {
        // A driver is rolled out pool by pool and half-way through in each.
        String driver = number % 2 == 0 ? "570.172.08" : "575.57.08";
        add(labels, "nvidia.com/cuda.driver-version.full", driver);
        add(labels, "nvidia.com/cuda.driver-version.major", driver.substring(0, 3));
        add(labels, "nvidia.com/cuda.runtime-version.full", "12.8");
        add(labels, "nvidia.com/gfd.timestamp", String.valueOf(1_795_000_000 + number));
        add(labels, "nvidia.com/gpu.compute.major", "8");
        add(labels, "nvidia.com/gpu.count", "8");
        add(labels, "nvidia.com/gpu.deploy.container-toolkit", "true");
        add(labels, "nvidia.com/gpu.deploy.dcgm-exporter", "true");
        add(labels, "nvidia.com/gpu.deploy.device-plugin", "true");
        add(labels, "nvidia.com/gpu.deploy.driver", "true");
        add(labels, "nvidia.com/gpu.deploy.mig-manager", "true");
        add(labels, "nvidia.com/gpu.family", "ampere");
        add(labels, "nvidia.com/gpu.machine", "System-4U");
        add(labels, "nvidia.com/gpu.memory", "81920");
        add(labels, "nvidia.com/gpu.present", "true");
        add(labels, "nvidia.com/gpu.product", product);
        add(labels, "nvidia.com/gpu.replicas", "1");
        add(labels, "nvidia.com/mig.capable", "true");
        add(labels, "nvidia.com/mig.config", "all-balanced");
        add(labels, "nvidia.com/mig.config.state", "success");
        add(labels, "nvidia.com/mig.strategy", "mixed");
    }

    private static void add(List<String> labels, String key, String value) {
        labels.add("\"%s\": \"%s\"".formatted(key, value));
    }

    List<String> capacity() {
        return resources("192", "2113454Mi");
    }

    List<String> allocatable() {
        return resources("191450m", "2080134Mi");
    }

    private List<String> resources(String cpu, String memory) {
        List<String> lines = new ArrayList<>(List.of(
                "\"cpu\": \"%s\"".formatted(cpu),
                "\"ephemeral-storage\": \"1828486Mi\"",
                "\"hugepages-1Gi\": \"0\"",
                "\"hugepages-2Mi\": \"0\"",
                "\"memory\": \"%s\"".formatted(memory),
                "\"pods\": \"110\""));
        lines.addAll(devices);
        return lines;
    }
}
