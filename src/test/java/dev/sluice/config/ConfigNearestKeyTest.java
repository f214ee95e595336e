package dev.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigNearestKeyTest {

    private static final List<String> KNOWN = List.of("host", "port", "maxBodyBytes", "whenNotOffered", "key");

    @ParameterizedTest
    @CsvSource({
        "prot, port", "Port, port", "ports, port", "max-body-bytes, maxBodyBytes", "max_body_bytes, maxBodyBytes",
        "maxBodySize, maxBodyBytes", "whenNotOfered, whenNotOffered", "hst, host", "keys, key", "pot, port"
    })
    void aSlipIsRecognised(String written, String meant) {
        assertThat(ConfigNearestKey.to(written, KNOWN)).contains(meant);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "certificate", "<<", "timeoutSeconds", "kubeconfigfilethatislong"})
    void anotherWordIsNoSlip(String written) {
        assertThat(ConfigNearestKey.to(written, KNOWN)).isEmpty();
    }
}
