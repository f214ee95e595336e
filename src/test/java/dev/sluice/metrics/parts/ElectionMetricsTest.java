package dev.sluice.metrics.parts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.bus.DecisionGateMessage;
import dev.sluice.bus.LeaseStateMessage;
import dev.sluice.metrics.ScrapeFormat;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ElectionMetricsTest {

    private final ElectionMetrics metrics = new ElectionMetrics();

    private void shows(int held, int deciding) {
        byte[] page = ScrapeFormat.accepted(null).of(metrics.families().numbers());
        assertThat(new String(page, StandardCharsets.UTF_8))
                .contains("gpu_webhook_lease_held " + held + ".0\n")
                .contains("gpu_webhook_deciding " + deciding + ".0\n");
    }

    @Test
    void theHolderOfTheLeaseDoesNotDecideBeforeItsGateIsOpen() {
        shows(0, 0);

        metrics.update(new LeaseStateMessage.Leading(Instant.MIN, Instant.MAX, Instant.MAX));
        metrics.update(new DecisionGateMessage("pods of the former holder may not have been seen yet"));
        shows(1, 0);

        metrics.update(DecisionGateMessage.NOW);
        shows(1, 1);

        metrics.update(new LeaseStateMessage.Standby("another"));
        metrics.update(new DecisionGateMessage("another replica decides: another"));
        shows(0, 0);
    }
}
