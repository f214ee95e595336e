package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.cli.SluiceCommand;
import dev.sluice.cli.demo.DemoCommand;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DemoCommandTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int demo(int port, int managementPort) {
        return run(Map.of(), "demo", "--once", "--port", "" + port, "--management-port", "" + managementPort);
    }

    private int run(Map<String, String> environment, String... arguments) {
        return SluiceCommand.with(new DemoCommand(environment))
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
    }

    @Test
    void playsTheEightScenariosThroughTheRealGateway() {
        assertThat(demo(Ports.free(), Ports.free())).as(() -> out + "\n" + err).isZero();

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

    @ParameterizedTest
    @CsvSource({
        "--port, 99999",
        "--port, 0",
        "--port, -1",
        "--port, 99999999999",
        "--port, https",
        "--management-port, 99999",
        "--management-port, -1"
    })
    void refusesAPortThatIsNone(String option, String value) {
        assertThat(run(Map.of(), "demo", "--once", option, value)).isEqualTo(2);
        assertThat(err)
                .hasToString(
                        "sluice demo: " + option + " is " + value + ", expected 1..65535\nSee sluice demo --help.\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"99999", "-1", "tcp://10.0.0.1:8443"})
    void refusesAPortOfTheEnvironmentThatIsNone(String value) {
        assertThat(run(Map.of("PORT", value), "demo", "--once")).isEqualTo(2);
        assertThat(err.toString())
                .startsWith("sluice demo: PORT of the environment is " + value + ", expected 1..65535, or unset it\n");
    }

    @Test
    void tellsWhichPortsAreUsual() {
        assertThat(run(Map.of(), "demo", "--help")).isZero();
        assertThat(out.toString())
                .contains("The gateway's port (8443, or PORT of the environment).")
                .contains("The port of probes, metrics and API (9090).");
    }

    @Test
    void refusesOnePortForBoth() {
        assertThat(run(Map.of(), "demo", "--once", "--port", "9090")).isEqualTo(2);
        assertThat(run(Map.of("PORT", "9090"), "demo", "--once")).isEqualTo(2);
        assertThat(run(Map.of(), "demo", "--once", "--management-port", "8443")).isEqualTo(2);
        assertThat(err.toString().lines().filter(line -> line.startsWith("sluice demo: ")))
                .containsExactly(
                        "sluice demo: --port and --management-port are both 9090, choose another for one of them",
                        "sluice demo: --port and --management-port are both 9090, choose another for one of them",
                        "sluice demo: --port and --management-port are both 8443, choose another for one of them");
    }

    @Test
    void saysWhichPortIsTaken() throws Exception {
        try (GatewayUnderTest other = GatewayUnderTest.start(ActivePolicy.DEFAULT)) {
            assertThat(demo(other.port(), Ports.free())).isEqualTo(2);
            assertThat(demo(Ports.free(), other.managementPort())).isEqualTo(2);
            assertThat(demo(other.port(), other.managementPort())).isEqualTo(2);
            List<String> lines = err.toString().lines().toList();
            assertThat(lines.subList(2, lines.size())).as("both at once").isEqualTo(lines.subList(0, 2));
            assertThat(lines.subList(0, 2))
                    .satisfiesExactly(
                            line -> assertThat(line)
                                    .startsWith("sluice: cannot listen on 127.0.0.1:" + other.port() + " (webhook): ")
                                    .endsWith(
                                            "): something else listens there; set webhook.port (for the demo, --port)"),
                            line -> assertThat(line)
                                    .startsWith("sluice: cannot listen on 127.0.0.1:" + other.managementPort()
                                            + " (management): ")
                                    .endsWith("): something else listens there; set management.port (for the demo,"
                                            + " --management-port)"));
        }
    }
}
