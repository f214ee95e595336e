package dev.sluice.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cluster.quantity.ResourceName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MisspeltGpuResourceTest {

    @ParameterizedTest
    @CsvSource({
        "nvidia.com/gpus, nvidia.com/gpu",
        "nvidia.com/GPU, nvidia.com/gpu",
        "nvida.com/gpu, nvidia.com/gpu",
        "nvidia.com/gup, nvidia.com/gpu",
        "nvidia/gpu, nvidia.com/gpu",
        "nvidia-gpu, nvidia.com/gpu",
        "limits.nvidia.com/gpu, nvidia.com/gpu",
        "requests.nvidia.com/mig-3g.40gb, nvidia.com/mig-3g.40gb",
        "amd.com/gpus, amd.com/gpu",
        "gpu.intel.com/i195, gpu.intel.com/i915",
        "nvidia.com/mig-3g40gb, nvidia.com/mig-3g.40gb",
        "nvidia.com/mig3g.40gb, nvidia.com/mig-3g.40gb",
        "nvidia.com/mig_3g40gb, nvidia.com/mig-3g.40gb",
        "nvidia.com/mig-3g-40gb, nvidia.com/mig-3g.40gb",
        "nvidia.com/mig-3g.40g, nvidia.com/mig-3g.40gb",
        "nvidia.com/mig-3g.40bg, nvidia.com/mig-3g.40gb",
        "nvidia.com/mig-3g.40gib, nvidia.com/mig-3g.40gb",
        "nvidia.com/mig-3gb.40gb, nvidia.com/mig-3g.40gb",
        "nvidia.com/mig-3.40gb, nvidia.com/mig-3g.40gb",
        "nvidia.com/mig-1g.10bg.me, nvidia.com/mig-1g.10gb.me",
        "nvidia.com/MIG-3G.40GB, nvidia.com/mig-3g.40gb",
        "alpha.kubernetes.io/nvidia-gpu, nvidia.com/gpu"
    })
    void aSlipIsRecognised(String written, String meant) {
        assertThat(MisspeltGpuResource.of(new ResourceName(written))).contains(new ResourceName(meant));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nvidia.com/gpu",
                "nvidia.com/gpu.shared",
                "nvidia.com/mig-3g.40gb",
                "nvidia.com/mig-3g.45bg",
                "nvidia.com/mig-1c.3g.40gb",
                "nvidia.com/gpumem",
                "nvidia.com/shm",
                "nvidia.com/GA102GL_A10",
                "intel.com/gpu",
                "example.com/gpu",
                "limits.example.com/gpu",
                "nvidia-smi",
                "alpha.example.com/nvidia-gpu",
                "cpu",
                "hugepages-2Mi",
                "rdma/hca"
            })
    void otherNamesAreNoSlips(String written) {
        assertThat(MisspeltGpuResource.of(new ResourceName(written))).isEmpty();
    }

    @Test
    void aVeryLongNameIsNoSlip() {
        assertThat(MisspeltGpuResource.of(new ResourceName("nvidia.com/gpu" + "s".repeat(100_000))))
                .isEmpty();
    }
}
