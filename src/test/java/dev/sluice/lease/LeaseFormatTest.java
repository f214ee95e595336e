package dev.sluice.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LeaseFormatTest {

    /** Whoever may write Leases could otherwise keep all replicas waiting for years. */
    @ParameterizedTest
    @CsvSource({"15, 2026-11-28T00:00:15Z", "60, 2026-11-28T00:01:00Z", "2147483647, 2026-11-28T00:01:00Z"})
    void aLongerDurationThanAMinuteIsNotBelieved(int seconds, Instant end) {
        GenericKubernetesResource lease = new GenericKubernetesResource();
        lease.setAdditionalProperty(
                "spec", Map.of("renewTime", "2026-11-28T00:00:00.000000Z", "leaseDurationSeconds", seconds));

        assertThat(LeaseFormat.endsByItsOwnWord(lease)).isEqualTo(end);
    }
}
