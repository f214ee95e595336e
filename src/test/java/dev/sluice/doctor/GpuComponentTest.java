package dev.sluice.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GpuComponentTest {

    @ParameterizedTest
    @CsvSource({
        "nvidia-device-plugin-daemonset-x7k2p, DEVICE_PLUGIN",
        "amdgpu-device-plugin-daemonset-x7k2p, DEVICE_PLUGIN",
        "nvidia-device-plugin-mps-control-daemon-x7k2p, MPS_CONTROL",
        "nvidia-driver-daemonset-5.15-x7k2p, DRIVER",
        "nvidia-dcgm-exporter-x7k2p, DCGM_EXPORTER",
        "nvidia-dcgm-x7k2p, DCGM",
        "gpu-operator-node-feature-discovery-worker-x7k2p, NODE_DISCOVERY",
        "gpu-operator-58c4b-x7k2p, OPERATOR",
        "rdma-shared-dp-ds-x7k2p, RDMA_PLUGIN",
        "nvidia-operator-validator-x7k2p, VALIDATOR"
    })
    void aPodIsKnownByItsName(String pod, GpuComponent component) {
        assertThat(GpuComponent.of(pod)).contains(component);
    }

    @Test
    void aPodOfAUserOrOfOtherDevicesIsNone() {
        assertThat(GpuComponent.of("train-7")).isEqualTo(Optional.empty());
        assertThat(GpuComponent.of("aws-efa-k8s-device-plugin-daemonset-x7k2p")).isEqualTo(Optional.empty());
    }

    @ParameterizedTest
    @CsvSource({
        "nvcr.io/nvidia/k8s-device-plugin:v0.17.0, k8s-device-plugin:v0.17.0",
        "registry.example.com:5000/a/b:1, b:1",
        "b, b",
        "x/b@sha256:0123456789abcdef01234567, b@sha256:0123456789ab"
    })
    void anImageIsShownWithoutItsRegistry(String image, String shown) {
        assertThat(GpuComponent.shortImage(image)).isEqualTo(shown);
        assertThat(GpuComponent.shortImage(shown)).isEqualTo(shown);
    }
}
