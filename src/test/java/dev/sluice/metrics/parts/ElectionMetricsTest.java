package dev.sluice.metrics.parts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.bus.DecisionGateMessage;
import dev.sluice.bus.ReplicationStatusMessage;
import dev.sluice.metrics.ScrapeFormat;
import dev.sluice.replication.Member;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ElectionMetricsTest {

    private static final Member SELF = new Member("pod-a_1", "10.0.0.1:8444");
    private static final Member OTHER = new Member("pod-b_2", "10.0.0.2:8444");
    private static final Member THIRD = new Member("pod-c_3", "10.0.0.3:8444");

    private final ElectionMetrics metrics = new ElectionMetrics();

    private static ReplicationStatusMessage heldBy(Member holder, Map<Member, Long> lag) {
        return new ReplicationStatusMessage(
                SELF, Optional.of(holder), 7, List.of(SELF, OTHER), lag, 12, 2, Duration.ofMillis(840), 5, "");
    }

    private String page() {
        return new String(ScrapeFormat.accepted(null).of(metrics.families().numbers()), StandardCharsets.UTF_8);
    }

    private void shows(int held, int deciding) {
        assertThat(page())
                .contains("gpu_webhook_lease_held " + held + ".0\n")
                .contains("gpu_webhook_deciding " + deciding + ".0\n");
    }

    @Test
    void theHolderOfTheLeaseDoesNotDecideBeforeItsGateIsOpen() {
        shows(0, 0);

        metrics.update(heldBy(SELF, Map.of()));
        metrics.update(new DecisionGateMessage("pods of the former holder may not have been seen yet"));
        shows(1, 0);

        metrics.update(DecisionGateMessage.NOW);
        shows(1, 1);
    }

    @Test
    void aReplicaThatForwardsDoesNotDecideThoughItsGateIsOpen() {
        metrics.update(heldBy(OTHER, Map.of()));
        metrics.update(DecisionGateMessage.ELSEWHERE);

        shows(0, 0);
    }

    @Test
    void aGatewayWithoutALeaseDecidesOnceItsGateIsOpen() {
        metrics.update(DecisionGateMessage.NOW);

        shows(0, 1);
    }

    @Test
    void whatReplicationReportsIsShown() {
        metrics.update(heldBy(SELF, Map.of(OTHER, 3L, THIRD, 40L)));

        assertThat(page())
                .contains("gpu_webhook_replication_in_sync 2.0\n")
                .contains("gpu_webhook_replication_term 7.0\n")
                .contains("gpu_webhook_replication_lag_entries 40.0\n")
                .contains("gpu_webhook_replication_entries 12.0\n")
                .contains("gpu_webhook_replication_takeovers_total 2.0\n")
                .contains("gpu_webhook_replication_refused_joins_total 5.0\n")
                .contains("gpu_webhook_replication_last_takeover_seconds 0.84\n");
    }

    @Test
    void everySeriesIsThereBeforeTheFirstStatus() {
        assertThat(page())
                .contains("gpu_webhook_replication_in_sync 0.0\n")
                .contains("gpu_webhook_replication_lag_entries 0.0\n")
                .contains("gpu_webhook_replication_takeovers_total 0.0\n");
    }
}
