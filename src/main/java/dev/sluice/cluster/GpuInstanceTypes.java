package dev.sluice.cluster;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Recognises cloud instance types with GPUs by the beginnings of their names. */
final class GpuInstanceTypes {

    /** The beginnings of the names of instance types with GPUs of AMD. {@code WITH_GPUS} matches these types, too. */
    private static final List<String> AMD = List.of("g4ad.", "standard_nv4as_v4", "standard_nv8as_v4");

    private static final List<String> AMD_PARTS = List.of("mi300", "mi250", "mi325", "mi350", "mi355");

    /**
     * The beginnings of the names of instance types with GPUs. The types are of AWS, Google Cloud, Azure, Oracle,
     * DigitalOcean, Linode, Alibaba and Tencent.
     */
    private static final List<String> WITH_GPUS = List.of(
            "p2.",
            "p3.",
            "p3dn.",
            "p4d.",
            "p4de.",
            "p5.",
            "p5e.",
            "p5en.",
            "p6-",
            "g3.",
            "g3s.",
            "g4dn.",
            "g4ad.",
            "g5.",
            "g5g.",
            "g6.",
            "g6e.",
            "g6f.",
            "gr6.",
            "g7e.",
            "a2-highgpu",
            "a2-megagpu",
            "a2-ultragpu",
            "a3-",
            "a4-",
            "a4x-",
            "g2-standard-",
            "g4-standard-",
            "standard_nc",
            "standard_nd",
            "standard_nv",
            "vm.gpu",
            "bm.gpu",
            "gpu-",
            "g1-gpu-",
            "g2-gpu-",
            "g3-gpu-",
            "ecs.gn",
            "ecs.ebmgn");

    private GpuInstanceTypes() {}

    /** Returns the vendor of the GPUs of an instance type. Returns null for a type that is unknown or has no GPUs. */
    static @Nullable GpuVendor vendor(String type) {
        String lower = type.toLowerCase(Locale.ROOT);
        // Some SageMaker clusters add their own prefix to AWS' instance types.
        String name = lower.startsWith("ml.") ? lower.substring("ml.".length()) : lower;
        if (WITH_GPUS.stream().noneMatch(name::startsWith)) {
            return null;
        }
        boolean amd =
                AMD.stream().anyMatch(name::startsWith) || AMD_PARTS.stream().anyMatch(name::contains);
        return amd ? GpuVendor.AMD : GpuVendor.NVIDIA;
    }
}
