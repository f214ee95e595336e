package dev.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** The gateway with the account of a pod: address in the environment, token in a file that is renewed. */
@AgainstControlPlane
@Isolated
class AccountIT {

    @Test
    void aRenewedTokenIsUsedWhenTheOldOneIsWorthNothing(Cluster cluster) throws Exception {
        ControlPlane plane = cluster.plane();
        Path directory = plane.scratch("mounted");
        Secret first = secret(cluster, "first");
        Account account = Account.mounted(plane, directory, Account.tokenBoundTo(first, plane));
        Gateway gateway = Gateway.cold(plane, "gateway-in-pod", account, Gateway.SHIPPED_POLICY)
                .ready();
        try {
            cluster.node("before", Map.of("nvidia.com/gpu", "4"));
            gateway.awaitNodes(1);
            Account.writeToken(directory, Account.tokenBoundTo(secret(cluster, "second"), plane));
            var _ = cluster.client().resource(first).delete();
            plane.killApiServer();
            plane.startApiServer();
            cluster.node("after", Map.of("nvidia.com/gpu", "4"));
            gateway.awaitNodes(2, Duration.ofSeconds(1));
            assertThat(gateway.log()).doesNotContain("ERROR");
        } finally {
            gateway.kill();
            var _ = cluster.client()
                    .secrets()
                    .inNamespace(Account.NAMESPACE)
                    .withName("second")
                    .delete();
        }
    }

    private static Secret secret(Cluster cluster, String name) {
        return cluster.client()
                .resource(new SecretBuilder()
                        .withNewMetadata()
                        .withNamespace(Account.NAMESPACE)
                        .withName(name)
                        .endMetadata()
                        .build())
                .create();
    }
}
