package dev.sluice.doctor;

import dev.sluice.cluster.GpuDevicePlugins;
import dev.sluice.cluster.GpuVendor;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Lists the components of GPU software. A component is recognised by the pod names that its charts and operators use.
 */
public enum GpuComponent {
    DEVICE_PLUGIN(
            "device plugin", "(?!.*(validator|rdma|sriov|mps|aws-efa|nitro-enclaves)).*(device-?plugin|gpu-plugin).*"),
    DRA_DRIVER("DRA driver", ".*dra-(driver|kubelet-plugin).*"),
    MPS_CONTROL("MPS control daemon", ".*mps-control-daemon.*"),
    DRIVER("driver", ".*(nvidia-driver-(daemonset|installer)|nvidia-gpu-driver).*|kmm-worker-.*"),
    TOOLKIT("container toolkit", ".*container-toolkit.*"),
    GPU_DISCOVERY("GPU feature discovery", ".*gpu-feature-discovery.*"),
    NODE_DISCOVERY("node feature discovery", ".*node-feature-discovery.*|nfd-(worker|master|gc).*"),
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

    /** Returns the component that the pod belongs to; empty for pods of users. */
    public static Optional<GpuComponent> of(String podName) {
        String name = podName.toLowerCase(Locale.ROOT);
        return Arrays.stream(values())
                .filter(component -> component.names.matcher(name).matches())
                .findFirst();
    }

    /** Returns true if a pod or DaemonSet of this name belongs to this component. */
    boolean isOf(String name) {
        return of(name).filter(this::equals).isPresent();
    }

    /**
     * Returns true if the pod belongs to GPU software. The facts about such a pod contain its image, which shows the
     * version.
     */
    public static boolean isTold(String podName, String shortImage) {
        return GpuDevicePlugins.isImage(shortImage) || of(podName).isPresent();
    }

    /**
     * Returns the image without its registry and with a shortened digest, for example
     * {@code k8s-device-plugin:v0.17.0}. AMD and NVIDIA use the same image name for their plugins, so AMD's image keeps
     * its organisation: {@code rocm/k8s-device-plugin:1.31.0.9}.
     */
    public static String shortImage(String image) {
        String name = image.substring(image.lastIndexOf('/') + 1);
        boolean amd = GpuDevicePlugins.isImage(name)
                && DiagnosedDevicePluginPods.vendorIn(image.substring(0, image.length() - name.length()))
                        .filter(GpuVendor.AMD::equals)
                        .isPresent();
        return amd ? "rocm/" + shortened(name) : shortened(name);
    }

    private static String shortened(String name) {
        int digest = name.indexOf(DIGEST);
        return name.substring(0, Math.min(name.length(), digest < 0 ? MOST_LETTERS : digest + SHOWN_OF_DIGEST));
    }
}
