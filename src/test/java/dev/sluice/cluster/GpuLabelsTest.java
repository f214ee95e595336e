package dev.sluice.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class GpuLabelsTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cloud.google.com/gke-nodepool",
                "tke.cloud.tencent.com/nodepool-id",
                "cce.cloud.com/cce-nodepool",
                "ibm-cloud.kubernetes.io/worker-pool-id",
                "ibm-cloud.kubernetes.io/worker-pool-name",
                "compute.coreweave.com/node-pool",
                "k8s.scaleway.com/pool-name",
                "vke.vultr.com/node-pool",
                "node.exoscale.net/nodepool-id",
                "kubernetes.civo.com/civo-node-pool",
                "hcloud/node-group",
                "nodepool",
                "worker.gardener.cloud/pool",
            })
    void aLabelOfANodePoolTellsThatTheClusterCanGrow(String key) {
        assertThat(GpuLabels.isOfPool(key)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"kubernetes.io/os", "pool", "topology.kubernetes.io/zone", "node-role.kubernetes.io/worker"})
    void anotherLabelDoesNot(String key) {
        assertThat(GpuLabels.isOfPool(key)).isFalse();
    }
}
