package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.sluice.log.LogLines;
import dev.sluice.tls.Certificates;
import dev.sluice.tls.TlsCertificateReader.TlsFiles;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Which command lines start a gateway without picocli. */
class ServeGatewayTest {

    private final StringWriter printed = new StringWriter();
    private final PrintWriter err = new PrintWriter(printed, true);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "--config a.yaml",
                "--cluster-snapshot c.json --config a.yaml",
                "--config a --cluster-snapshot b"
            })
    void takesLinesOfFilesOnly(String line) {
        assertThat(ServeGateway.plain(words(line), err)).isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--help",
                "-h",
                "--config",
                "--config a --config b",
                "--config=a.yaml",
                "--config --help",
                "--confg a.yaml",
                "a.yaml --config",
                "--config a extra",
                "--config a --help b"
            })
    void leavesEveryOtherLineToPicocli(String line) {
        assertThat(ServeGateway.plain(words(line), err)).isEmpty();
    }

    @Test
    void readsTheConfigurationThatTheLineNames() {
        int exitCode = ServeGateway.plain(words("--config /absent.yaml"), err)
                .orElseThrow()
                .run();

        assertThat(exitCode).isEqualTo(2);
        assertThat(printed.toString()).contains("/absent.yaml");
    }

    @Test
    void aFileIsNoClusterThatCouldBeAskedWhoMayRead(@TempDir Path directory) throws Exception {
        Path config = Files.writeString(directory.resolve("gateway.yaml"), "management: {access: kubernetes}\n");

        int exitCode = ServeGateway.plain(words("--config " + config + " --cluster-snapshot c.json"), err)
                .orElseThrow()
                .run();

        assertThat(exitCode).isEqualTo(2);
        assertThat(printed.toString())
                .contains("management.access is kubernetes")
                .contains("set management.access: open");
    }

    @Test
    void namesNoOptionThatServeDoesNotHave(@TempDir Path directory) throws Exception {
        TlsFiles pair = Certificates.files(directory, Certificates.leaf(Certificates.authority()));
        Path config = Files.writeString(
                directory.resolve("gateway.yaml"),
                "tls: {certificate: " + pair.certificate() + ", key: " + pair.key()
                        + ", engine: jdk}\nkubernetes: {kubeconfig: " + directory.resolve("none") + "}\n");

        int exitCode = ServeGateway.plain(words("--config " + config), err)
                .orElseThrow()
                .run();

        assertThat(exitCode).isEqualTo(2);
        assertThat(printed.toString())
                .endsWith("none does not exist; name another with kubernetes.kubeconfig or KUBECONFIG\n");
    }

    @Test
    void namesAllThatIsWrongWithTheFilesOfReplicasInAvailabilityMode(@TempDir Path directory) throws Exception {
        TlsFiles pair = Certificates.files(directory, Certificates.leaf(Certificates.authority()));
        String tls = "tls: {certificate: " + pair.certificate() + ", key: /absent.key, engine: jdk}\n";
        String peers =
                "peers: {certificate: " + pair.certificate() + ", key: " + pair.key() + ", authority: /absent.crt}\n";
        Path config =
                Files.writeString(directory.resolve("gateway.yaml"), tls + peers + "policy: {mode: availability}\n");

        int exitCode = ServeGateway.plain(words("--config " + config), err)
                .orElseThrow()
                .run();

        assertThat(exitCode).isEqualTo(2);
        assertThat(printed.toString())
                .contains("sluice: tls.key: /absent.key does not exist")
                .contains("sluice: peers.authority: /absent.crt does not exist")
                .contains("sluice: peers.certificate: " + pair.certificate() + " does not have the DNS name");
    }

    @Test
    void theStartWarnsOfAPortThatEverybodyMayRead(@TempDir Path directory) throws Exception {
        Path config = Files.writeString(
                directory.resolve("gateway.yaml"),
                "management: {host: 192.0.2.7}\ntls: {certificate: /absent.crt, key: /absent.key}\n");
        LogLines lines = new LogLines();
        Logger log = (Logger) LoggerFactory.getLogger(ServeGateway.class);
        log.addAppender(lines);
        try {
            assertThat(ServeGateway.plain(words("--config " + config), err)
                            .orElseThrow()
                            .run())
                    .isEqualTo(2);
        } finally {
            log.detachAppender(lines);
        }

        assertThat(lines.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .anyMatch(line -> line.contains("management.access is open while management.host is 192.0.2.7"));
    }

    private static List<String> words(String line) {
        return line.isEmpty() ? List.of() : List.of(line.split(" "));
    }
}
