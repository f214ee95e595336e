package dev.sluice.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cluster.quantity.ResourceName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OtherGpuNameTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "aliyun.com/gpu-mem",
                "volcano.sh/vgpu-number",
                "tencent.com/vcuda-core",
                "nvidia.com/vgpu",
                "nvidia.com/gtx-1080-ti",
                "mig.das.com/1g.5gb",
                "iluvatar.ai/gpu"
            })
    void softwareThatSharesGpusOffersThemByTheseNames(String name) {
        assertThat(OtherGpuName.isOfGpus(new ResourceName(name))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cpu",
                "nvidia.com/gpu",
                "nvidia.com/gpumem",
                "nvidia.com/shm",
                "nvidia.com/BF3_p0",
                "google.com/tpu",
                "aws.amazon.com/neuron",
                "aliyun.com/eni",
                "rdma/hca"
            })
    void otherNamesSpeakOfNoGpu(String name) {
        assertThat(OtherGpuName.isOfGpus(new ResourceName(name))).isFalse();
    }
}
