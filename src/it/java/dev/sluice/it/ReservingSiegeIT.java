package dev.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** In availability mode one verticle decides for all; large reviews must not keep the others from it. */
@Isolated
class ReservingSiegeIT {

    private static final int MIB = 1024 * 1024;
    private static final Duration ATTACK = Attackers.LENGTH;

    @Test
    void largeReviewsAndUnfinishedOnes() throws Exception {
        List<byte[]> large = List.copyOf(HostileReviews.ofSize(8 * MIB - 4_096).values());
        try (Siege siege = Siege.on(new GeneratedCluster(200, 2_000), "policy: {mode: availability}\n")) {
            Served quiet = siege.goodClient().inQuiet(Duration.ofSeconds(2));
            Served served = siege.goodClient().beside(new Attackers(6, ATTACK, (attacker, _) -> {
                try (RawConnection connection = siege.connect()) {
                    byte[] request = RawConnection.post(large.get(attacker % large.size()));
                    if (attacker % 3 == 0) {
                        connection.send(request, request.length / 2);
                    } else {
                        connection.send(request);
                    }
                    assertThat(connection.answer().status()).isIn(200, 408, 503);
                }
            }));
            System.out.println("availability mode: " + quiet + "; attacked: " + served + ", peak "
                    + siege.peakBytes() / MIB + " MiB");
            assertThat(siege.exitCode()).isEmpty();
            assertThat(served.failures()).isEmpty();
            Served after = siege.goodClient().inQuiet(Duration.ofSeconds(1));
            assertThat(after.failures()).isEmpty();
            assertThat(served.p99()).isLessThanOrEqualTo(quiet.twice(after));
            Eventually.holds(
                    "nothing is held for bodies any more",
                    () -> siege.metrics().sum("gpu_webhook_body_memory_bytes") == 0);
        }
    }
}
