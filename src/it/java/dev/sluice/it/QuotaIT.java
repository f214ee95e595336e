package dev.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** A pod that is refused after it was decided on. */
@AgainstControlPlane
class QuotaIT {

    private static final String TWO = "nvidia.com/mig-2g.20gb";
    /** Beyond that, the next read of the version of the cluster, and what a busy machine needs. */
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    /** A decision whose pod was not seen for this long gives way to a pod for which nothing else is free (5.8). */
    private static final Duration OVERDUE = Duration.ofSeconds(5);

    private static final long BETWEEN_NANOS = Duration.ofSeconds(1).toNanos();

    @Test
    void whatAQuotaRefusedGivesWayOnceItIsOverdue(Cluster cluster) throws Exception {
        AvailabilityMode mode = AvailabilityMode.withShortWaits(cluster.plane(), cluster.gateway());
        try (Reserving reserving = new Reserving(mode)) {
            isFreeOnceItIsOverdue(cluster, reserving);
        }
    }

    private static void isFreeOnceItIsOverdue(Cluster cluster, Reserving reserving) throws Exception {
        reserving.node(cluster, "worker", Map.of(TWO, "1"));
        String full = withoutPods(cluster, cluster.sibling("-full"));
        Instant decided = Instant.now();
        Api.Answer refused = cluster.create(Pods.asking("refused", TWO), full);
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.message()).contains("exceeded quota");
        assertThat(next(cluster).status()).as("while it may still come").isEqualTo(403);
        Eventually.within(PATIENCE, "it is free", () -> {
            LockSupport.parkNanos(BETWEEN_NANOS);
            something(cluster);
            return next(cluster).status() == 201;
        });
        assertThat(Duration.between(decided, Instant.now())).isGreaterThan(OVERDUE);
    }

    /** This namespace, in which every creation of a pod is refused after it was decided on. */
    static String withoutPods(Cluster cluster, String name) {
        var quotas = cluster.client().resourceQuotas().inNamespace(name);
        var _ = quotas.resource(new ResourceQuotaBuilder()
                        .withNewMetadata()
                        .withName("none")
                        .endMetadata()
                        .withNewSpec()
                        .withHard(Map.of("pods", new Quantity("0")))
                        .endSpec()
                        .build())
                .create();
        Eventually.holds(
                "the quota is in force",
                () -> quotas.withName("none").get().getStatus().getUsed() != null);
        return name;
    }

    private static Api.Answer next(Cluster cluster) throws Exception {
        return cluster.dryRun(Pods.asking("next", TWO), cluster.sibling(Reserving.DENY));
    }

    /** Pods come and go, so the watch has something to tell; where nothing happens, a bookmark comes each minute. */
    private static void something(Cluster cluster) throws Exception {
        var _ = cluster.create(Pods.plain("something"));
        cluster.delete(cluster.namespace(), "something");
    }
}
