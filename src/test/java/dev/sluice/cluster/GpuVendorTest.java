package dev.sluice.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cluster.quantity.ResourceName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GpuVendorTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nvidia.com/BF3_p0",
                "nvidia.com/BF2_p1_sf1",
                "nvidia.com/CX7_p0",
                "nvidia.com/ConnectX-7",
                "nvidia.com/MT2910_VF"
            })
    void networkCardsAreNoGpus(String name) {
        assertThat(GpuVendor.isGpu(new ResourceName(name))).isFalse();
        assertThat(GpuVendor.isForMachines(new ResourceName(name))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nvidia.com/GA102GL_A10",
                "nvidia.com/ARIEL_DEVICE_24_FUNCTION_3",
                "nvidia.com/GM204GL_TESLA_M6",
                "nvidia.com/NVIDIA_A10-12Q",
                "nvidia.com/B200",
                "amd.com/MI300X"
            })
    void modelsOfGpusForVirtualMachinesAreGpus(String name) {
        assertThat(GpuVendor.isGpu(new ResourceName(name))).isTrue();
    }
}
