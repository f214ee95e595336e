package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.request.Policy;
import dev.sluice.webhook.Reply;
import org.junit.jupiter.api.Test;

/**
 * Allocatable mode with an account that may not list pods: no decision needs them, and nobody pretends to know them.
 */
class PodsWithheldTest {

    private static final PodlessCluster.Refusal FORBIDDEN = new PodlessCluster.Refusal(403, """
            {"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Forbidden","code":403,
            "message":"pods is forbidden: User cannot list resource pods in API group at the cluster scope"}""");

    @Test
    void everythingIsDecidedAndOnlyWhatIsTakenIsUnknown() throws Exception {
        try (PodlessCluster gateway = new PodlessCluster(Policy.Mode.ALLOCATABLE, FORBIDDEN)) {
            Reply readyz = gateway.readyzOnce(page -> page.body().contains("may not list") && page.status() == 200);
            assertThat(readyz.status()).isEqualTo(200);
            assertThat(readyz.body())
                    .contains("not listed, because the account may not list them; Allocated is unknown\n")
                    .endsWith("readyz check passed\n");

            assertThat(gateway.review().status()).isEqualTo(200);

            assertThat(gateway.manage("GET /api/v1/capacity").body())
                    .contains("\"podsKnown\":false")
                    .contains("\"allocatable\":8")
                    .doesNotContain("available");
            assertThat(gateway.manage("GET /metrics").body())
                    .contains("gpu_webhook_synced{kind=\"nodes\"} 1")
                    .contains("gpu_webhook_synced{kind=\"pods\"} 0")
                    .contains("gpu_webhook_watch_failures_total{kind=\"pods\"} 0");
        }
    }
}
