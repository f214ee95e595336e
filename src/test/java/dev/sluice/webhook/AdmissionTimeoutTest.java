package dev.sluice.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class AdmissionTimeoutTest {

    @ParameterizedTest
    @CsvSource({
        "3s, 3000",
        "10s, 10000",
        "1m0s, 30000",
        "30s, 30000",
        "2.5s, 2500",
        "1s500ms, 1500",
        "1ms, 1000",
        "5ns, 1000",
        "999999999h, 30000"
    })
    void readsDurationsOfGoAndKeepsThemWithinWhatAWebhookMayHave(String timeout, long millis) {
        assertThat(AdmissionTimeout.patience(timeout)).isEqualTo(Duration.ofMillis(millis));
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(
            strings = {"", "s", "3", "-3s", "0s", "3 s", "3s%20", "1e3s", "٣s", "11111111111111111111111111111111111s"})
    void takesTheDefaultOfTheApiServerWhereNothingSensibleIsSaid(String timeout) {
        assertThat(AdmissionTimeout.patience(timeout)).isEqualTo(Duration.ofSeconds(10));
    }

    @ParameterizedTest
    @CsvSource({
        "timeout=3s, 3s",
        "a=b&timeout=3s, 3s",
        "timeout=3s&timeout=9s, 3s",
        "timeout=, ''",
        "xtimeout=3s, ",
        "'', ",
    })
    void findsTheParameterInTheQuery(String query, String timeout) {
        assertThat(AdmissionTimeout.parameter(query)).isEqualTo(timeout);
    }

    @Test
    void leavesTimeForTheWayBack() {
        assertThat(AdmissionTimeout.deadline("1s").leftMillis()).isBetween(600L, 750L);
        assertThat(AdmissionTimeout.deadline("3s").leftMillis()).isBetween(2_000L, 2_250L);
        assertThat(AdmissionTimeout.deadline("30s").leftMillis()).isBetween(28_000L, 29_000L);
    }
}
