package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.request.Policy;
import dev.sluice.webhook.Reply;
import org.junit.jupiter.api.Test;

/** Availability mode while the API server lists nodes but no pods: what is free is not known, so nothing is decided. */
class PodsNotListedTest {

    private static final String WHY = "the pods have not been listed yet";

    @Test
    void nothingIsDecidedAndReadinessSaysWhy() throws Exception {
        try (PodlessCluster gateway =
                new PodlessCluster(Policy.Mode.AVAILABILITY, PodlessCluster.Refusal.UNAVAILABLE)) {
            Reply readyz = gateway.readyzOnce(page -> page.body().contains(WHY));
            assertThat(readyz.status()).isEqualTo(503);
            assertThat(readyz.body())
                    .startsWith("[+] cluster listed: 1 node,")
                    .contains("[-] deciding: " + WHY)
                    .endsWith("readyz check failed\n");

            Reply review = gateway.review();
            assertThat(review.status()).isEqualTo(503);
            assertThat(review.header("retry-after")).isEqualTo("1");
            assertThat(review.body()).contains(WHY);

            assertThat(gateway.manage("GET /api/v1/capacity").body())
                    .contains("\"podsKnown\":false")
                    .contains("\"allocatable\":8")
                    .doesNotContain("available");
        }
    }
}
