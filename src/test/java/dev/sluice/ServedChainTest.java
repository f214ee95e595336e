package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.Cli;
import dev.sluice.tls.CertificateAuthority;
import dev.sluice.tls.Certificates;
import dev.sluice.tls.CertifiedKey;
import dev.sluice.tls.ClientCertificateNames;
import dev.sluice.tls.TlsEngine;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code sluice certs show --url} says of a running gateway. */
class ServedChainTest {

    @TempDir
    private Path directory;

    private final CertificateAuthority authority = Certificates.authority();

    private GatewayUnderTest start(Map<String, String> files) throws Exception {
        return GatewayUnderTest.start(
                TlsMount.of(directory, files).source(TlsEngine.best()),
                ClientCertificateNames.ANY,
                TlsMount.client(null, authority));
    }

    @Test
    void showsTheChainAndSaysWhatToDo() throws Exception {
        CertifiedKey leaf = TlsMount.leaf(authority);
        Map<String, String> files = new HashMap<>(TlsMount.secret(authority, leaf));
        files.put("tls.crt", leaf.certificatePem() + authority.certificatePem());
        try (GatewayUnderTest gateway = start(files)) {
            Cli shown = Cli.run("certs", "show", "--url", "https://localhost:" + gateway.port());

            assertThat(shown.code()).as(shown.err()).isZero();
            assertThat(shown.out())
                    .contains("certificate 1 of 2", "certificate 2 of 2", "names       localhost, ", "4 days left")
                    .contains("to do       renew it, with 'sluice certs make --force'");
        }
    }

    @Test
    void showsItAlsoWhereACertificateIsAskedFor() throws Exception {
        Map<String, String> files = new HashMap<>(TlsMount.secret(authority, TlsMount.leaf(authority)));
        files.put("client-ca.crt", authority.certificatePem());
        try (GatewayUnderTest gateway = start(files)) {
            Cli shown = Cli.run("certs", "show", "--url", "https://localhost:" + gateway.port());

            assertThat(shown.code()).as(shown.err()).isZero();
            assertThat(shown.out()).contains("certificate 1 of 1");
        }
    }

    @Test
    void endsWithTwoWhereThereIsNothingToShow() {
        assertThat(Cli.run("certs", "show").code()).isEqualTo(2);
        Cli nobody = Cli.run("certs", "show", "--url", "https://localhost:" + Ports.free());
        assertThat(nobody.code()).isEqualTo(2);
        assertThat(nobody.err()).contains("shows no certificate", "give the address of a TLS server");
        assertThat(Cli.run("certs", "show", "--url", "nonsense").code()).isEqualTo(2);
        assertThat(Cli.run("certs", "show", "--file", directory.resolve("absent.crt"))
                        .code())
                .isEqualTo(2);
    }
}
