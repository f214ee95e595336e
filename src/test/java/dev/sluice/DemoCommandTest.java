package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.ActivePolicy;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class DemoCommandTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int demo(int port, int managementPort) {
        return new CommandLine(new DemoCommand())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err, true))
                .execute("--once", "--port", "" + port, "--management-port", "" + managementPort);
    }

    @Test
    void playsTheEightScenariosThroughTheRealGateway() {
        assertThat(demo(GatewayUnderTest.freePort(), GatewayUnderTest.freePort()))
                .as(() -> out + "\n" + err)
                .isZero();

        IntStream.rangeClosed(1, 8)
                .forEach(scenario -> assertThat(out.toString()).containsPattern("(?m)^" + scenario + "  \\S"));
        assertThat(out.toString())
                .contains("(8 on 2 nodes)")
                .contains("fallback: 3g.40gb->2g.20gb")
                .contains("fallback: 2g.20gb->1g.10gb")
                .contains("fallback: 1g.10gb->2g.20gb")
                .contains("Deployment serve, 5 pods")
                .contains("explain \\")
                .as("the gateway has ended, so nothing can be sent to it")
                .doesNotContain("curl", "/metrics");
        assertThat(out.toString().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(100));
    }

    @Test
    void saysWhichPortIsTaken() throws Exception {
        try (GatewayUnderTest other = GatewayUnderTest.start(ActivePolicy.DEFAULT)) {
            assertThat(demo(other.port(), GatewayUnderTest.freePort())).isEqualTo(2);
        }
        assertThat(err.toString()).contains("cannot listen on 127.0.0.1").contains("webhook.port");
    }
}
