package dev.sluice.cli.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.sluice.tls.CertificateAuthority;
import dev.sluice.tls.CertifiedKey;
import dev.sluice.tls.ServerCertificateNames;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.PemKeyCertOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The files of --token-file and --ca-file. */
class GatewayCredentialsTest {

    private static final String GUARDED = "https://localhost:9090";

    @TempDir
    private Path directory;

    private GatewayCredentials token(String text) throws Exception {
        Path file = Files.writeString(directory.resolve("token"), text);
        return new GatewayCredentials(Optional.of(file), Optional.empty());
    }

    private GatewayCredentials authorities(String text) throws Exception {
        Path file = Files.writeString(directory.resolve("ca.crt"), text);
        return new GatewayCredentials(Optional.empty(), Optional.of(file));
    }

    @Test
    void theTokenIsShownWithoutTheLineBreakOfItsFile() throws Exception {
        assertThat(GatewayApiClient.at(GUARDED, token("abc.def\n"))
                        .authorization()
                        .get())
                .contains("Bearer abc.def");
        assertThat(GatewayApiClient.at("http://localhost:9090", GatewayCredentials.NONE)
                        .authorization()
                        .get())
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "two words", "two\nlines", "ümlaut"})
    void whatIsNoTokenIsRefusedAndNotQuoted(String text) throws Exception {
        GatewayCredentials credentials = token(text);

        assertThatThrownBy(() -> GatewayApiClient.at(GUARDED, credentials))
                .isInstanceOf(UserProblem.class)
                .hasMessageEndingWith("holds no token; expected one line without blanks");
    }

    /** The file may be a device that never ends. */
    @Test
    void aFileThatIsTooLargeIsNamedAndNotReadToItsEnd() throws Exception {
        Path endless = Path.of("/dev/zero");
        GatewayCredentials token = new GatewayCredentials(Optional.of(endless), Optional.empty());
        GatewayCredentials authorities = new GatewayCredentials(Optional.empty(), Optional.of(endless));

        assertThatThrownBy(() -> GatewayApiClient.at(GUARDED, token).authorization())
                .isInstanceOf(UserProblem.class)
                .hasMessage("--token-file /dev/zero is larger than 1 MiB; name another file");
        assertThatThrownBy(authorities::trust)
                .isInstanceOf(UserProblem.class)
                .hasMessage("--ca-file /dev/zero is larger than 1 MiB; name another file");
    }

    @Test
    void aTokenIsNotSentInTheClear() throws Exception {
        GatewayCredentials credentials = token("abc");

        assertThatThrownBy(() -> GatewayApiClient.at("http://localhost:9090", credentials))
                .isInstanceOf(UserProblem.class)
                .hasMessageContaining("are for an https URL");
    }

    @Test
    void onlyTheNamedAuthoritiesAreTrusted() throws Exception {
        String pem =
                CertificateAuthority.create(Instant.now(), Duration.ofDays(1)).certificatePem();

        assertThat(authorities(pem).trust()).isPresent();
        assertThat(GatewayCredentials.NONE.trust()).isEmpty();
        for (String no : new String[] {"", "no certificate"}) {
            GatewayCredentials credentials = authorities(no);
            assertThatThrownBy(credentials::trust)
                    .isInstanceOf(UserProblem.class)
                    .hasMessageContaining("holds no certificate");
        }
    }

    /** What a gateway with a certificate of this name is told, by a client that trusts its authority or does not. */
    private String refusalOf(String name, boolean trusted) throws Exception {
        CertificateAuthority authority = CertificateAuthority.create(Instant.now(), Duration.ofDays(1));
        CertifiedKey pair =
                authority.issue(ServerCertificateNames.of(List.of(name)), Instant.now(), Duration.ofDays(1));
        Vertx vertx = Vertx.vertx();
        try {
            int port = vertx.createHttpServer(new HttpServerOptions()
                            .setSsl(true)
                            .setKeyCertOptions(new PemKeyCertOptions()
                                    .addCertValue(Buffer.buffer(pair.certificatePem()))
                                    .addKeyValue(Buffer.buffer(pair.keyPem()))))
                    .requestHandler(request -> request.response().end())
                    .listen(0, "localhost")
                    .await()
                    .actualPort();
            GatewayApiClient gateway = GatewayApiClient.at(
                    "https://localhost:" + port,
                    trusted ? authorities(authority.certificatePem()) : GatewayCredentials.NONE);
            UserProblem problem = assertThrows(UserProblem.class, gateway::metrics);
            assertThat(problem).hasNoCause();
            return String.valueOf(problem.getMessage()).replace("localhost:" + port, "gateway");
        } finally {
            vertx.close().await();
        }
    }

    @Test
    void whatIsWrongWithACertificateIsTold() throws Exception {
        assertThat(refusalOf("localhost", /* trusted= */ false))
                .startsWith("the certificate of https://gateway is not accepted (")
                .endsWith("); --ca-file must hold the authority that issued it");
        assertThat(refusalOf("other", /* trusted= */ true))
                .startsWith("the certificate of https://gateway is not accepted (")
                .endsWith("); --url must have a name that the certificate bears (tls.selfManaged.names adds names)");
    }

    @Test
    void aFileThatIsNotThereIsNamed() {
        Path missing = directory.resolve("missing");

        assertThatThrownBy(() -> new GatewayCredentials(Optional.of(missing), Optional.empty()).authorization())
                .isInstanceOf(UserProblem.class)
                .hasMessage("--token-file " + missing + " does not exist; name another file");
    }
}
