package dev.sluice.cluster;

import java.util.List;

/** Recognises the device plugins of GPUs by the names of their pods, DaemonSets and images. */
public final class GpuDevicePlugins {

    /**
     * The words in the names of plugins for other devices and of helper components. A name with one of these words is
     * not the name of a device plugin for GPUs.
     */
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
            "npu",
            "aws-efa",
            "nitro-enclaves");

    /**
     * A word in the names of pods of GPU feature discovery. These pods have the same image as NVIDIA's device plugin
     * but are no device plugins.
     */
    private static final String DISCOVERY = "feature-discovery";

    private GpuDevicePlugins() {}

    /** Returns true if a DaemonSet or pod with this name is a device plugin for GPUs. */
    public static boolean isName(String name) {
        return (name.contains("device-plugin")
                        || name.contains("deviceplugin")
                        || name.contains("gpu-plugin")
                        || name.contains("kubevirt-gpu-dp"))
                && isOfGpus(name);
    }

    private static boolean isOfGpus(String name) {
        return OTHER_DEVICES.stream().noneMatch(name::contains);
    }

    /**
     * Returns true if the image is a device plugin for GPUs.
     *
     * @param image the image with or without its registry, and with or without its tag
     */
    public static boolean isImage(String image) {
        String name = untagged(image);
        return (name.endsWith("k8s-device-plugin") && isOfGpus(name))
                || name.endsWith("nvidia-gpu-device-plugin")
                || name.endsWith("kubevirt-gpu-device-plugin")
                || name.endsWith("intel-gpu-plugin")
                || GpuVendor.ofAddedImage(name).isPresent();
    }

    private static String untagged(String image) {
        String name = image.substring(image.lastIndexOf('/') + 1);
        int tag = name.indexOf(':');
        int digest = name.indexOf('@');
        int end = tag < 0 ? digest : digest < 0 ? tag : Math.min(tag, digest);
        return end < 0 ? name : name.substring(0, end);
    }

    /**
     * Returns true if a DaemonSet, or a pod of a DaemonSet, is a device plugin for GPUs.
     *
     * @param byImage true if {@link #isImage} is true for one of its images
     */
    public static boolean isPlugin(String name, boolean byImage) {
        return isName(name) || (byImage && !name.contains(DISCOVERY) && !name.contains("mps"));
    }
}
