package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ServeOwnAddressTest {

    @Test
    void isTheFirstAddressThatOtherMachinesReach() {
        assertThat(best("127.0.0.1", "::1", "fe80::1", "2001:db8::7", "192.0.2.7", "192.0.2.8"))
                .isEqualTo("192.0.2.7");
        assertThat(best("127.0.0.1", "fe80::1", "2001:db8::7")).isEqualTo("2001:db8:0:0:0:0:0:7");
        assertThat(best("127.0.0.1", "::1", "169.254.1.1")).isEqualTo("127.0.0.1");
    }

    private static String best(String... addresses) {
        List<InetAddress> found =
                Stream.of(addresses).map(InetAddress::ofLiteral).toList();
        return ServeOwnAddress.best(found);
    }
}
