package dev.sluice.doctor;

import dev.sluice.cluster.GpuLabels;
import dev.sluice.cluster.GpuVendor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Nodes with the same GPUs and the same driver.
 *
 * @param driver its version, empty where no label tells it
 * @param cuda the newest CUDA version that the driver supports, empty where no label tells it
 * @param gpus how many GPUs the nodes have together; 0 where the labels of none tell it
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

    /** By vendor, model and driver. */
    public static List<GpuHardware> of(List<NodeStudy> nodes) {
        Map<GpuHardware, List<NodeStudy>> groups = new TreeMap<>(ORDER);
        for (NodeStudy node : nodes) {
            for (GpuVendor vendor : node.hardware().keySet()) {
                groups.computeIfAbsent(like(node, vendor), _ -> new ArrayList<>())
                        .add(node);
            }
        }
        return groups.entrySet().stream()
                .map(group -> group.getKey().with(group.getValue()))
                .toList();
    }

    private static GpuHardware like(NodeStudy node, GpuVendor vendor) {
        return switch (vendor) {
            case NVIDIA -> new GpuHardware(vendor, modelOf(node), driverOf(node), version(node, CUDA), 0, List.of());
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

    /** The product of a node of either vendor; empty where no label tells it. */
    public static String modelOf(NodeStudy node) {
        return Stream.of(
                        node.product().name().replaceFirst("-SHARED$", "").replaceFirst("-MIG-.*$", ""),
                        first(node, "amd.com/gpu.product-name", "beta.amd.com/gpu.product-name"),
                        first(node, "cloud.google.com/gke-accelerator", "k8s.amazonaws.com/accelerator"))
                .filter(text -> !text.isEmpty())
                .findFirst()
                .orElse("");
    }

    /** The version of NVIDIA's driver; empty where no label tells it. */
    static String driverOf(NodeStudy node) {
        return version(node, DRIVER);
    }

    private static String first(NodeStudy node, String key, String otherKey) {
        return node.label(key).isEmpty() ? node.label(otherKey) : node.label(key);
    }

    /** In one label since feature discovery 0.13, and in up to three before. */
    private static String version(NodeStudy node, String key) {
        String full = node.label(key + "-version.full");
        return full.isEmpty()
                ? Stream.of("major", "minor", "rev")
                        .map(part -> node.label(key + "." + part))
                        .takeWhile(part -> !part.isEmpty())
                        .collect(Collectors.joining("."))
                : full;
    }

    private GpuHardware with(List<NodeStudy> members) {
        return new GpuHardware(
                vendor,
                model,
                driver,
                cuda,
                members.stream().mapToLong(node -> gpusOf(node, vendor)).sum(),
                members.stream().map(NodeStudy::name).toList());
    }

    /** The GPUs of a node, also where they are divided or shared; 0 where that is not told. */
    static long gpusOf(NodeStudy node, GpuVendor vendor) {
        if (vendor != GpuVendor.NVIDIA) {
            return vendor.own(node.facts().node().capacity())
                    .only(name -> !GpuVendor.isForMonitoring(name))
                    .sum();
        }
        String count = node.label(COUNT);
        return node.product().isSlice() || !count.matches("\\d{1,4}") ? 0 : Long.parseLong(count);
    }
}
