package dev.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.GatewayConfig.PeerPort;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigPeerAddressTest {

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, 127.0.0.1:8444",
        "127.0.0.1:9444, 127.0.0.1:9444",
        "gateway-0.example, gateway-0.example:8444",
        "gateway-0.example:1, gateway-0.example:1",
        "2001:db8::7, [2001:db8::7]:8444",
        "[2001:db8::7], [2001:db8::7]:8444",
        "[2001:db8::7]:9444, [2001:db8::7]:9444"
    })
    void hasThePortOfTheServerUnlessItSaysAnother(String written, String address) {
        assertThat(ConfigPeerAddress.read(written, 8444)).hasToString("Optional[" + address + "]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ":8444",
                "0.0.0.0",
                "0.0.0.0:8444",
                "::",
                "[::]:8444",
                "10.0.0.7:0",
                "10.0.0.7:65536",
                "10.0.0.7:08444",
                "https://10.0.0.7",
                "[10.0.0.7]:8444",
                "[2001:db8::7:8444",
                "a b:1",
                "10.0.0.7:8444:8444",
                "10.0.0.7/24"
            })
    void isOneAddressThatOthersCanReach(String text) {
        assertThat(ConfigPeerAddress.read(text, 8444)).isEmpty();
    }

    @Test
    void isThatOfThePodOrOfTheMachineIfNothingElseIsWritten() {
        Map<String, String> pod = Map.of("POD_IP", "10.0.0.7");
        assertThat(address("0.0.0.0", "198.51.100.3", pod)).isEqualTo("198.51.100.3:8444");
        assertThat(address("0.0.0.0", null, pod)).isEqualTo("10.0.0.7:8444");
        assertThat(address("::", null, Map.of("POD_IP", "2001:db8::7"))).isEqualTo("[2001:db8::7]:8444");
        assertThat(address("0.0.0.0", null, Map.of())).isEqualTo("192.0.2.1:8444");
        assertThat(address("0.0.0.0", null, Map.of("POD_IP", ""))).isEqualTo("192.0.2.1:8444");
        assertThat(address("127.0.0.1", null, pod))
                .as("nobody reaches another address")
                .isEqualTo("127.0.0.1:8444");
    }

    private static String address(String host, @Nullable String advertised, Map<String, String> environment) {
        return new PeerPort(host, 8444, advertised, null, null, null).advertised(environment, () -> "192.0.2.1");
    }
}
