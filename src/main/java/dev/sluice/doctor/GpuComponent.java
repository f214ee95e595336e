package dev.sluice.doctor;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** A part of the software that makes GPUs usable, known by the names that its charts and operators give its pods. */
public enum GpuComponent {
    DEVICE_PLUGIN("device plugin", "(?!.*(validator|rdma|sriov|mps)).*device-plugin.*"),
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

    /** An image without its registry, and with the beginning of its digest only: {@code k8s-device-plugin:v0.17.0}. */
    public static String shortImage(String image) {
        String name = image.substring(image.lastIndexOf('/') + 1);
        int digest = name.indexOf(DIGEST);
        return name.substring(0, Math.min(name.length(), digest < 0 ? MOST_LETTERS : digest + SHOWN_OF_DIGEST));
    }
}
