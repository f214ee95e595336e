package dev.sluice.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.WrittenPolicy;
import dev.sluice.kube.client.OwnRequiredRight;
import dev.sluice.reload.ReloadedPolicySource;
import dev.sluice.replication.ReplicationTimes;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.vertx.core.http.HttpServerOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rights that a gateway asks for follow from its configuration. */
class GatewayPartsRightsTest {

    @TempDir
    private Path directory;

    private List<String> rights(ClusterSource source) throws IOException {
        return new GatewayPartsRights(new SluiceParts(
                        new HttpServerOptions(),
                        /* maxBodyBytes= */ 1 << 20,
                        new HttpServerOptions(),
                        WrittenPolicy.of("{}", directory),
                        ReloadedPolicySource.FIXED,
                        source))
                .in("gpus").stream().map(OwnRequiredRight::words).toList();
    }

    @Test
    void theCountsOfAllReplicasNeedTheRightToTheirConfigMap() throws IOException {
        try (KubernetesClient client =
                new KubernetesClientBuilder().withConfig(Config.empty()).build()) {
            ReplicationTimes times = ReplicationTimes.of(60_000);

            assertThat(rights(new ClusterSource.Live(client, times, /* summary= */ true)))
                    .contains(
                            "get configmaps gpu-webhook-summary in gpus",
                            "patch configmaps gpu-webhook-summary in gpus");
            assertThat(rights(new ClusterSource.Live(client, times, /* summary= */ false)))
                    .noneMatch(right -> right.contains("configmaps"));
        }
    }
}
