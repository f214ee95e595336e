package dev.sluice.policy;

/** The names under which device plugins register GPUs. Other names of the same domains are no GPUs: nvidia.com/shm. */
final class GpuVendors {

    private GpuVendors() {}

    static boolean isGpu(String name) {
        return switch (name) {
            case "nvidia.com/gpu", "nvidia.com/gpu.shared", "amd.com/gpu" -> true;
            default -> name.startsWith("nvidia.com/mig-") || name.startsWith("gpu.intel.com/");
        };
    }
}
