package dev.sluice.cluster;

import dev.sluice.cluster.quantity.ResourceName;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Recognizes resource names that {@link GpuVendor} does not contain: names for parts of shared GPUs, such as
 * {@code volcano.sh/vgpu-number}, and names for the GPUs and other accelerators of further vendors.
 */
public final class OtherGpuName {

    /**
     * The domains of other device plugins for GPUs (gpushare of Alibaba, virtual GPUs of AWS, elastic-gpu, Koordinator,
     * gpu-manager of Tencent, OrionX, Volcano) and of other vendors (Biren, Iluvatar, MetaX, Moore Threads).
     */
    private static final Set<String> DOMAINS = Set.of(
            "aliyun.com",
            "k8s.amazonaws.com",
            "elasticgpu.io",
            "koordinator.sh",
            "tencent.com",
            "virtaitech.com",
            "volcano.sh",
            "birentech.com",
            "iluvatar.ai",
            "metax-tech.com",
            "mthreads.com");

    /**
     * The domain of the resource names of the Dynamic Accelerator Slicer (InstaSlice), which creates MIG slices when a
     * pod requests them. Its webhook replaces NVIDIA's names by names in this domain.
     */
    private static final String SLICER_DOMAIN = "mig.das.com/";

    /**
     * The name that HAMi and its predecessor register in place of {@code nvidia.com/gpu} if they are configured to do
     * so.
     */
    private static final String RENAMED = "nvidia.com/vgpu";

    /**
     * Matches names of GPU models in the domains of their vendors, such as {@code nvidia.com/gtx-1080-ti}. Patched or
     * old device plugins register GPUs under such names. Names such as HAMi's {@code nvidia.com/gpumem} are not
     * matched.
     */
    private static final Pattern MODEL = Pattern.compile("(?:nvidia|amd)\\.com/(?!.*(?:mem|core))(?:gpu[-_.][0-9a-z].*"
            + "|.*(?:gtx|rtx|tesla|quadro|geforce|titan|radeon).*|[abhlptv][0-9]{1,3}(?:[-_.].*)?)");

    /**
     * Matches the names under which the device plugins of AWS, Cambricon, Enflame, Furiosa, Google, Habana, Huawei,
     * Hygon, Iluvatar, Kunlunxin, Qualcomm, Rebellions and Tenstorrent register their accelerators, and the names for
     * the GPUs of Windows nodes. Names that HAMi registers for the memory and the cores of accelerators do not match.
     */
    private static final Pattern ACCELERATOR = Pattern.compile(
            "habana\\.ai/gaudi|google\\.com/tpu|aws\\.amazon\\.com/neuron(?:core|device)?"
                    + "|huawei\\.com/Ascend\\w+|cambricon\\.com/v?mlu\\w*|hygon\\.com/dcu(?:num)?|enflame\\.com/v?gcu"
                    + "|iluvatar\\.com/v?gpu|kunlunxin\\.com/v?xpu|qualcomm\\.com/qaic\\w*|furiosa\\.ai/\\w+"
                    + "|rebellions\\.ai/\\w+|tenstorrent\\.com/\\w+|directx\\.microsoft\\.com/\\w+|microsoft\\.com/directx");

    private OtherGpuName() {}

    /**
     * Returns true if this class recognizes the resource name. A name in one of the {@link #DOMAINS} must also contain
     * {@code gpu} or {@code vcuda}.
     */
    public static boolean is(ResourceName resource) {
        String name = resource.value();
        int slash = name.indexOf('/');
        return (slash > 0
                        && (name.indexOf("gpu", slash) > 0 || name.indexOf("vcuda", slash) > 0)
                        && DOMAINS.contains(name.substring(0, slash)))
                || name.equals(RENAMED)
                || name.startsWith(SLICER_DOMAIN)
                || isOfModel(resource)
                || isOfAccelerator(resource);
    }

    /** Returns true if the name stands for GPUs or shares of them, and not for another accelerator. */
    static boolean isOfGpus(ResourceName resource) {
        return is(resource) && !isOfAccelerator(resource);
    }

    /**
     * Returns true for an accelerator that is no GPU. Also returns true for GPUs of Windows nodes, and for GPUs of some
     * vendors that {@link GpuVendor} does not contain.
     */
    public static boolean isOfAccelerator(ResourceName resource) {
        return ACCELERATOR.matcher(resource.value()).matches();
    }

    /**
     * Returns true if the name contains a GPU model in the domain of its vendor. The vendor's own device plugin does
     * not register such names.
     */
    public static boolean isOfModel(ResourceName resource) {
        String name = resource.value();
        return (name.startsWith("nvidia.com/") || name.startsWith("amd.com/"))
                && !GpuVendor.isGpu(resource)
                && MODEL.matcher(name).matches();
    }
}
