package dev.sluice.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cluster.quantity.KubernetesFacts;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TolerationTest {

    @Test
    void toleratesWhatTheSchedulerTolerates() {
        List<String> disagreements = new ArrayList<>();
        for (List<String> fact : KubernetesFacts.rows("tolerations.tsv")) {
            Toleration toleration = new Toleration(
                    fact.get(0), Toleration.TolerationOperator.of(fact.get(1)), fact.get(2), fact.get(3));
            Taint taint = new Taint(fact.get(4), fact.get(5), Taint.Effect.of(fact.get(6)));
            if (toleration.tolerates(taint) != Boolean.parseBoolean(fact.get(7))) {
                disagreements.add(String.join(" | ", fact));
            }
        }
        assertThat(disagreements).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "nvidia.com/gpu, NoSchedule, true, false",
        "nvidia.com/gpu, NoExecute, true, false",
        "nvidia.com/gpu, PreferNoSchedule, false, false",
        "nvidia.com/gpu, Unheard, false, false",
        "node.kubernetes.io/not-ready, NoExecute, true, true",
        "node.cloudprovider.kubernetes.io/uninitialized, NoSchedule, true, true",
        "startup-taint.cluster-autoscaler.kubernetes.io/gpu-driver, NoSchedule, true, true",
        "ignore-taint.cluster-autoscaler.kubernetes.io/gpu-driver, NoSchedule, true, true",
        "status-taint.cluster-autoscaler.kubernetes.io/disk, NoSchedule, true, true",
        "readiness.k8s.io/nvidia-gpu, NoSchedule, true, true",
        "karpenter.sh/unregistered, NoExecute, true, true",
        "node.cilium.io/agent-not-ready, NoExecute, true, true",
        "ebs.csi.aws.com/agent-not-ready, NoExecute, true, true",
        "cni.istio.io/not-ready, NoSchedule, true, true",
        "node.gardener.cloud/critical-components-not-ready, NoSchedule, true, true",
        "node.cluster.x-k8s.io/uninitialized, NoSchedule, true, true",
        "node.deckhouse.io/bashible-uninitialized, NoSchedule, true, true",
        "gpu-not-ready, NoSchedule, true, false",
        "example.com/notuninitialized, NoSchedule, true, false",
        "karpenter.sh/disrupted, NoSchedule, true, false",
        "ToBeDeletedByClusterAutoscaler, NoSchedule, true, false",
        "not-ready, NoSchedule, true, false",
        "node-role.kubernetes.io/control-plane, NoSchedule, true, false",
        "node.kubernetes.iox/y, NoSchedule, true, false",
    })
    void someTaintsKeepPodsOffAndSomePass(String key, String effect, boolean keepsOff, boolean passing) {
        Taint taint = new Taint(key, "", Taint.Effect.of(effect));
        assertThat(taint.keepsPodsOff()).isEqualTo(keepsOff);
        assertThat(taint.isTemporary()).isEqualTo(passing);
    }
}
