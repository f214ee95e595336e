package dev.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import org.junit.jupiter.api.Test;

/** The gateway's priority is the gateway's: FailOpenIT shows that its own pods bear it. */
@AgainstControlPlane
class PriorityIT {

    @Test
    void podsOfTenantsMayNotBearThePriorityOfTheGateway(Cluster cluster) throws Exception {
        Eventually.holds(
                "the policy is in force", () -> cluster.dryRun(prior("tenant")).status() == 403);
        assertThat(cluster.create(prior("tenant")).message()).contains("for the GPU admission gateway only");
        assertThat(cluster.create(Pods.plain("plain")).status()).isEqualTo(201);
        assertThat(cluster.pod("plain").getSpec().getPriority()).isZero();
    }

    /** The number without the name is refused by the API server itself. */
    @Test
    void theNumberCannotBeTakenWithoutTheName(Cluster cluster) throws Exception {
        Pod numbered = new PodBuilder(Pods.plain("numbered"))
                .editSpec()
                .withPriority(1_000_000_000)
                .endSpec()
                .build();
        assertThat(cluster.create(numbered).status()).isEqualTo(403);
    }

    private static Pod prior(String name) {
        return new PodBuilder(Pods.plain(name))
                .editSpec()
                .withPriorityClassName("gpu-webhook")
                .endSpec()
                .build();
    }
}
