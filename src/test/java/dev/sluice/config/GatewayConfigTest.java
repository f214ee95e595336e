package dev.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.sluice.admission.request.Policies;
import dev.sluice.config.GatewayConfig.InjectionFile;
import dev.sluice.config.GatewayConfig.Kubernetes;
import dev.sluice.config.GatewayConfig.Management;
import dev.sluice.config.GatewayConfig.Tls;
import dev.sluice.config.GatewayConfig.TlsMode;
import dev.sluice.config.GatewayConfig.Webhook;
import dev.sluice.tls.TlsEngine;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GatewayConfigTest {

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 65_536})
    void noPortIsOutOfRange(int port) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Webhook("localhost", port, 4096))
                .withMessage("webhook.port is %d, expected 1..65535", port);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Management("localhost", port))
                .withMessage("management.port is %d, expected 1..65535", port);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1023, 67_108_865})
    void noBodyLimitIsOutOfRange(int bytes) {
        assertThatIllegalArgumentException().isThrownBy(() -> new Webhook("localhost", 1, bytes));
    }

    @Test
    void theServersDoNotShareAPort() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new GatewayConfig(
                        new Webhook("localhost", 9090, 4096),
                        Tls.DEFAULT,
                        Management.DEFAULT,
                        GatewayConfig.PeerPort.DEFAULT,
                        Kubernetes.DEFAULT,
                        GatewayConfig.GpuTable.DEFAULT,
                        Policies.DEFAULT,
                        InjectionFile.DEFAULT,
                        GatewayConfig.Log.DEFAULT))
                .withMessage("webhook.port and management.port are both 9090");
    }

    @Test
    void noContextIsBlank() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Kubernetes(null, " "));
    }

    @Test
    void noFileIsWithoutName() {
        Path none = Path.of("");
        Path some = Path.of("a");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Tls(TlsMode.FILES, TlsEngine.JDK, none, some, null, Set.of()));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Tls(TlsMode.FILES, TlsEngine.JDK, some, none, null, Set.of()));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Tls(TlsMode.FILES, TlsEngine.JDK, some, some, none, Set.of()));
        assertThatIllegalArgumentException().isThrownBy(() -> new Kubernetes(none, null));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"0.0.0.0", "127.0.0.1", "::", "::1", "fe80::1", "localhost", "gpu-webhook.gpu-webhook.svc", "h1"
            })
    void hostsAreNamesAndAddresses(String host) {
        assertThat(ConfigHostRule.allows(host)).isTrue();
        assertThat(new Webhook(host, 1, 4096).host()).isEqualTo(host);
        assertThat(new Management(host, 1).host()).isEqualTo(host);
    }

    @Test
    void anIpv6AddressStandsInBracketsBeforeAPort() {
        assertThat(ConfigHostRule.withPort("::1", 8443)).isEqualTo("[::1]:8443");
        assertThat(ConfigHostRule.withPort("127.0.0.1", 8443)).isEqualTo("127.0.0.1:8443");
        assertThat(ConfigHostRule.withPort("localhost", 9090)).isEqualTo("localhost:9090");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "localhost:8443",
                "1.2.3.4:80",
                "https://localhost",
                "[::1]",
                "1",
                "127.1",
                "1.2.3.999",
                "-a",
                "a-",
                "a..b",
                "a_b",
                "a b",
                "*",
                "ho\nst",
                "1.2.3.4."
            })
    void nothingElseIsAHost(String host) {
        assertThat(ConfigHostRule.allows(host)).isFalse();
        assertThatIllegalArgumentException().isThrownBy(() -> new Webhook(host, 1, 4096));
        assertThatIllegalArgumentException().isThrownBy(() -> new Management(host, 1));
    }
}
