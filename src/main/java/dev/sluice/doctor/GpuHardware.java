package dev.sluice.doctor;

import dev.sluice.cluster.GpuLabels;
import dev.sluice.cluster.GpuVendor;
import dev.sluice.cluster.quantity.Amounts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Describes a group of nodes that have the same GPU model and the same driver.
 *
 * @param driver the version of the driver; empty if no label contains it
 * @param cuda the newest CUDA version that the driver supports; empty if no label contains it
 * @param gpus the total number of GPUs on these nodes; 0 if the labels do not contain the number
 * @param nodes the names of the nodes
 */
public record GpuHardware(GpuVendor vendor, String model, String driver, String cuda, long gpus, List<String> nodes) {

    private static final String DRIVER = "nvidia.com/cuda.driver";
    private static final String CUDA = "nvidia.com/cuda.runtime";
    private static final String COUNT = GpuLabels.COUNT;

    private static final Comparator<GpuHardware> ORDER = Comparator.comparing(GpuHardware::vendor)
            .thenComparing(GpuHardware::model)
            .thenComparing(GpuHardware::driver)
            .thenComparing(GpuHardware::cuda);

    public GpuHardware {
        nodes = List.copyOf(nodes);
    }

    /** Groups the nodes by vendor, model and driver. */
    public static List<GpuHardware> of(List<DiagnosedNode> nodes) {
        Map<GpuHardware, List<DiagnosedNode>> groups = new TreeMap<>(ORDER);
        for (DiagnosedNode node : nodes) {
            for (GpuVendor vendor : node.hardware().keySet()) {
                groups.computeIfAbsent(like(node, vendor), _ -> new ArrayList<>())
                        .add(node);
            }
        }
        return groups.entrySet().stream()
                .map(group -> group.getKey().with(group.getValue()))
                .toList();
    }

    private static GpuHardware like(DiagnosedNode node, GpuVendor vendor) {
        return switch (vendor) {
            case NVIDIA -> new GpuHardware(vendor, modelOf(node), driverOf(node), cudaOf(node), 0, List.of());
            case INTEL -> new GpuHardware(vendor, node.label("gpu.intel.com/product"), "", "", 0, List.of());
            case AMD ->
                new GpuHardware(
                        vendor,
                        first(node, "amd.com/gpu.product-name", "beta.amd.com/gpu.product-name"),
                        first(node, "amd.com/gpu.driver-version", "beta.amd.com/gpu.driver-version"),
                        "",
                        0,
                        List.of());
        };
    }

    /** Returns the GPU model of the node, for any vendor; empty if no label contains the model. */
    public static String modelOf(DiagnosedNode node) {
        return Stream.of(
                        node.product().name().replaceFirst("-SHARED$", "").replaceFirst("-MIG-.*$", ""),
                        first(node, "amd.com/gpu.product-name", "beta.amd.com/gpu.product-name"),
                        first(node, "cloud.google.com/gke-accelerator", "k8s.amazonaws.com/accelerator"))
                .filter(text -> !text.isEmpty())
                .findFirst()
                .orElse("");
    }

    /** Returns the version of NVIDIA's driver; empty if no label contains it. */
    static String driverOf(DiagnosedNode node) {
        return version(node, DRIVER);
    }

    /** Returns the newest CUDA version that NVIDIA's driver supports; empty if no label contains it. */
    static String cudaOf(DiagnosedNode node) {
        return version(node, CUDA);
    }

    private static String first(DiagnosedNode node, String key, String otherKey) {
        return node.label(key).isEmpty() ? node.label(otherKey) : node.label(key);
    }

    /**
     * Returns a version number from the labels of the node. Feature discovery 0.13 and later puts the version into one
     * label; earlier versions of it use up to three labels.
     */
    private static String version(DiagnosedNode node, String key) {
        String full = node.label(key + "-version.full");
        return full.isEmpty()
                ? Stream.of("major", "minor", "rev")
                        .map(part -> node.label(key + "." + part))
                        .takeWhile(part -> !part.isEmpty())
                        .collect(Collectors.joining("."))
                : full;
    }

    private GpuHardware with(List<DiagnosedNode> members) {
        return new GpuHardware(
                vendor,
                model,
                driver,
                cuda,
                members.stream().mapToLong(node -> gpusOf(node, vendor)).reduce(0, Amounts::saturatedSum),
                members.stream().map(DiagnosedNode::name).toList());
    }

    /**
     * Returns the number of physical GPUs of a node, even if they are partitioned or shared; 0 if the number is not
     * known.
     */
    static long gpusOf(DiagnosedNode node, GpuVendor vendor) {
        if (vendor != GpuVendor.NVIDIA) {
            return vendor.own(node.facts().node().capacity())
                    .only(name -> !GpuVendor.isForMonitoring(name))
                    .sum();
        }
        String count = node.label(COUNT);
        return node.product().isSlice() || !count.matches("\\d{1,4}") ? 0 : Long.parseLong(count);
    }
}
