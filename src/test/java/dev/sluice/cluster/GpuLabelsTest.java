package dev.sluice.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
                "kops.k8s.io/instancegroup",
                "oke.oraclecloud.com/pool.name",
                "node.deckhouse.io/group",
                "yandex.cloud/node-group-id",
                "nebius.com/node-group-id",
                "magnum.openstack.org/nodegroup",
                "spotinst.io/ocean-vng-id",
                "provisioner.cast.ai/managed-by",
                "hypershift.openshift.io/nodePool",
                "giantswarm.io/machine-deployment",
                "crusoe.ai/nodepool.id",
                "vke.node.volcengine.com/node-pool-id",
                "omni.sidero.dev/machine-set",
                "example.com/gpu_node_group",
            })
    void aLabelOfANodePoolTellsThatTheClusterCanGrow(String key) {
        assertThat(GpuLabels.isOfPool(key)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "kubernetes.io/os",
                "pool",
                "topology.kubernetes.io/zone",
                "node-role.kubernetes.io/worker",
                "nodepool.example.com/os",
                "example.com/machine-settings",
            })
    void anotherLabelDoesNot(String key) {
        assertThat(GpuLabels.isOfPool(key)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "nvidia.com/mig.config.state, pending, true",
        "nvidia.com/mig.config.state, rebooting, true",
        "nvidia.com/mig.config.state, failed, false",
        "nvidia.com/gpu.deploy.device-plugin, paused-for-mig-change, true",
        "nvidia.com/gpu.deploy.dcgm, paused-for-mig-change, true",
        "nvidia.com/gpu.deploy.nvsm, paused-for-mig-change, false",
        "nvidia.com/gpu.deploy.device-plugin, paused-for-driver-upgrade, false",
    })
    void aMigChangeIsToldByItsStateAndByPausedLabels(String key, String value, boolean changes) {
        assertThat(GpuLabels.isOfMigChange(key, value)).isEqualTo(changes);
    }

    @ParameterizedTest
    @CsvSource({
        "nvidia.com/gpu.product, true",
        "nvidia.com/gpu.present, true",
        "nvidia.com/mig-1g.10gb.count, true",
        "nvidia.com/cuda.driver.major, true",
        "nvidia.com/gpu.model, false",
        "nvidia.com/mig.config, false",
        "nvidia.com/gpu.deploy.driver, false",
    })
    void aDiscoveredLabelIsOneThatNvidiasSoftwareSets(String key, boolean discovered) {
        assertThat(GpuLabels.isDiscovered(key)).isEqualTo(discovered);
    }
}
