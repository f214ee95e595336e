package dev.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A gateway in allocatable mode with the rights of {@code k8s/base} and no others. */
@AgainstControlPlane
class LeastRightsIT {

    private static final String NAME = "least-rights";

    @Test
    void allocatableModeNeedsNoRightToPods(Cluster cluster) throws Exception {
        ControlPlane plane = cluster.plane();
        Account.create(cluster, cluster.namespace(), NAME);
        var binding = cluster.client()
                .resource(new ClusterRoleBindingBuilder()
                        .withNewMetadata()
                        .withName(NAME)
                        .endMetadata()
                        .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", "gpu-webhook")
                        .addNewSubject("", "ServiceAccount", NAME, cluster.namespace())
                        .build());
        var _ = binding.create();
        Account account = Account.of(plane, cluster.namespace(), NAME);
        Gateway gateway = Gateway.cold(plane, NAME, account, Gateway.SHIPPED_POLICY);
        try {
            Eventually.holds(
                    "the gateway is ready without seeing pods",
                    () -> gateway.daemon().runs() && gateway.isReady());
            cluster.addNode("worker", Map.of("nvidia.com/gpu", "4"));
            Eventually.within(
                    Duration.ofSeconds(10),
                    "the gateway knows the node",
                    () -> gateway.metrics().sum("gpu_webhook_snapshot_nodes") == 1);
            assertThat(gateway.log()).doesNotContain("ERROR");
        } finally {
            gateway.kill();
            var _ = binding.delete();
        }
    }
}
