package dev.sluice.doctor;

import dev.sluice.cluster.GpuVendor;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** A part of the software that makes GPUs usable, known by the names that its charts and operators give its pods. */
public enum GpuComponent {
    DEVICE_PLUGIN("device plugin", "(?!.*(validator|rdma|sriov|mps)).*(device-?plugin|gpu-plugin).*"),
    DRA_DRIVER("DRA driver", ".*dra-(driver|kubelet-plugin).*"),
    MPS_CONTROL("MPS control daemon", ".*mps-control-daemon.*"),
    DRIVER("driver", ".*(nvidia-driver-daemonset|nvidia-gpu-driver).*"),
    TOOLKIT("container toolkit", ".*container-toolkit.*"),
    GPU_DISCOVERY("GPU feature discovery", ".*gpu-feature-discovery.*"),
    NODE_DISCOVERY("node feature discovery", ".*node-feature-discovery.*"),
    MIG_MANAGER("MIG manager", ".*mig-manager.*"),
    DCGM_EXPORTER("DCGM exporter", ".*dcgm-exporter.*"),
    DCGM("DCGM", ".*dcgm.*"),
    VALIDATOR("validator", ".*operator-validator.*"),
    AMD_EXPORTER("AMD metrics exporter", ".*device-metrics-exporter.*"),
    AMD_LABELLER("AMD node labeller", ".*(amdgpu-labeller|node-labeller).*"),
    RDMA_PLUGIN("RDMA device plugin", ".*(rdma-shared-dp|sriov-device-plugin).*"),
    OPERATOR("GPU operator", "(amd-)?gpu-operator-.*");

    private static final String DIGEST = "@sha256:";
    private static final int SHOWN_OF_DIGEST = DIGEST.length() + 12;
    private static final int MOST_LETTERS = 200;

    private final String title;
    private final Pattern names;

    GpuComponent(String title, String names) {
        this.title = title;
        this.names = Pattern.compile(names);
    }

    public String title() {
        return title;
    }

    /** Empty for the pods of users. */
    public static Optional<GpuComponent> of(String podName) {
        String name = podName.toLowerCase(Locale.ROOT);
        return Arrays.stream(values())
                .filter(component -> component.names.matcher(name).matches())
                .findFirst();
    }

    /** Words in the names of plugins for other devices, and of parts that go with a plugin for GPUs. */
    private static final List<String> OTHER_DEVICES = List.of(
            "validator",
            "rdma",
            "sriov",
            "mps",
            "tpu",
            "neuron",
            "habana",
            "gaudi",
            "qat",
            "sgx",
            "fpga",
            "dsa",
            "kvm",
            "fuse",
            "smarter",
            "generic",
            "ascend",
            "npu");

    /** True for the name of a device plugin for GPUs, or of its pod. */
    static boolean isPluginName(String name) {
        return isNamedPlugin(name) && OTHER_DEVICES.stream().noneMatch(name::contains);
    }

    private static boolean isNamedPlugin(String name) {
        return name.contains("device-plugin") || name.contains("deviceplugin") || name.contains("gpu-plugin");
    }

    /** True for the image of a device plugin for GPUs. */
    static boolean isPluginImage(String image) {
        int tag = image.indexOf(':');
        String name = tag < 0 ? image : image.substring(0, tag);
        return name.endsWith("k8s-device-plugin") || name.endsWith("intel-gpu-plugin");
    }

    /** True for a pod whose image tells something about GPU software. */
    public static boolean isTold(String podName, String shortImage) {
        return isPluginImage(shortImage) || of(podName).isPresent();
    }

    /**
     * An image without its registry, and with the beginning of its digest only: {@code k8s-device-plugin:v0.17.0}. AMD
     * calls its plugin as NVIDIA does, so its name stays before that: {@code rocm/k8s-device-plugin:1.31.0.9}.
     */
    public static String shortImage(String image) {
        String name = image.substring(image.lastIndexOf('/') + 1);
        boolean amd = isPluginImage(name)
                && PluginPods.vendorIn(image.substring(0, image.length() - name.length()))
                        .filter(GpuVendor.AMD::equals)
                        .isPresent();
        return amd ? "rocm/" + shortened(name) : shortened(name);
    }

    private static String shortened(String name) {
        int digest = name.indexOf(DIGEST);
        return name.substring(0, Math.min(name.length(), digest < 0 ? MOST_LETTERS : digest + SHOWN_OF_DIGEST));
    }
}
