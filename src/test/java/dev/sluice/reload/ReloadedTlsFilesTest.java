package dev.sluice.reload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.tls.CertificateAuthority;
import dev.sluice.tls.Certificates;
import dev.sluice.tls.CertifiedKey;
import dev.sluice.tls.ServerTls;
import dev.sluice.tls.TlsCertificateReader;
import dev.sluice.tls.TlsCertificateReader.TlsFiles;
import dev.sluice.tls.TlsCertificateReader.TlsReading;
import dev.sluice.tls.TlsEngine;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file {@code ca.crt} beside the pair: that of the server's authority, or of the clients'. */
class ReloadedTlsFilesTest {

    @TempDir
    private Path directory;

    private final CertificateAuthority servers = Certificates.authority();
    private final CertificateAuthority others = Certificates.authority();

    @Test
    void refusesARenewedPairThatTheAuthorityBesideItHasNotSigned() throws Exception {
        assertThat(renewed(Optional.empty()))
                .isInstanceOfSatisfying(
                        TlsReading.UnusableTls.class,
                        refused -> assertThat(refused.problems())
                                .singleElement()
                                .asString()
                                .contains("ca.crt"));
    }

    @Test
    void takesARenewedPairBesideTheAuthoritiesOfClients() throws Exception {
        assertThat(renewed(Optional.of(directory.resolve("ca.crt")))).isInstanceOf(TlsReading.Usable.class);
    }

    private TlsReading renewed(Optional<Path> clientCa) throws Exception {
        TlsFiles files = new TlsFiles(directory.resolve("tls.crt"), directory.resolve("tls.key"), clientCa);
        Files.writeString(directory.resolve("ca.crt"), others.certificatePem());
        write(files, Certificates.leaf(servers));
        TlsReading first = TlsCertificateReader.read(files, TlsEngine.JDK, Instant.now());
        ServerTls served = ((TlsReading.Usable) first).tls();
        ReloadedTlsFiles source = ReloadedTlsFiles.of(files, served, Instant.now());
        write(files, Certificates.leaf(servers));
        return source.read(served, Instant.now());
    }

    private static void write(TlsFiles files, CertifiedKey pair) throws Exception {
        Files.writeString(files.certificate(), pair.certificatePem());
        Files.writeString(files.key(), pair.keyPem());
    }
}
