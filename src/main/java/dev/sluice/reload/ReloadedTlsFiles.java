package dev.sluice.reload;

import dev.sluice.bus.ActiveTlsMessage;
import dev.sluice.tls.CertificatePath;
import dev.sluice.tls.CertifiedKey;
import dev.sluice.tls.PemFile;
import dev.sluice.tls.ServerTls;
import dev.sluice.tls.TlsCertificateReader;
import dev.sluice.tls.TlsCertificateReader.TlsFiles;
import dev.sluice.tls.TlsCertificateReader.TlsReading;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The TLS files of a gateway and the certificate that they contained at the start.
 *
 * @param first the certificate that the files contained at the start
 * @param pollInterval the time between two polls while the files change
 */
public record ReloadedTlsFiles(TlsFiles files, ActiveTlsMessage first, Duration pollInterval) {

    /**
     * The time between two polls while the files change. While they do not change, the time is twice as long. A change
     * is detected after at most 1 s and read 0.5 s later, so a new certificate is in use within 2 s after its files
     * have changed on this machine.
     */
    private static final Duration POLL_INTERVAL = Duration.ofMillis(500);

    /**
     * The name of the file with the certificate of the authority. The tools cert-manager and 'sluice certs make' write
     * it into the directory of the server's certificate.
     */
    private static final String AUTHORITY = "ca.crt";

    /**
     * Returns the source for files from which {@code tls} has just been read. This method blocks, because it reads the
     * file of the authority.
     */
    public static ReloadedTlsFiles of(TlsFiles files, ServerTls tls, Instant now) {
        return new ReloadedTlsFiles(
                files, ActiveTlsMessage.first(tls, authorities(files, tls.identity()), now), POLL_INTERVAL);
    }

    List<Path> paths() {
        return Stream.concat(
                        Stream.of(files.certificate(), files.key(), authorityFile(files)), files.clientCa().stream())
                .distinct()
                .toList();
    }

    /**
     * Reads the files. If the certificate differs from the served certificate, it is tested with a handshake. This
     * method blocks.
     */
    TlsReading read(ServerTls served, Instant now) {
        TlsReading reading = TlsCertificateReader.read(files, served.engine(), now);
        return reading instanceof TlsReading.Usable usable && !usable.tls().equals(served)
                ? problem(usable.tls(), now)
                        .<TlsReading>map(problem -> new TlsReading.UnusableTls(List.of(problem), usable.warnings()))
                        .orElse(usable)
                : reading;
    }

    private Optional<String> problem(ServerTls tls, Instant now) {
        return notValidYet(tls, now)
                .or(() -> notSigned(tls.identity()))
                .or(() -> ReloadHandshakeProof.problem(tls))
                .map(problem -> files.use().certificateKey() + ": " + files.certificate() + " " + problem);
    }

    /**
     * Returns a problem if the certificate is not valid yet. The gateway then continues to serve the last valid
     * certificate. At the start there is no other certificate, so this check is not made.
     */
    private static Optional<String> notValidYet(ServerTls tls, Instant now) {
        Instant begin = tls.identity().certificate().getNotBefore().toInstant();
        return now.isBefore(begin)
                ? Optional.of("is not valid before " + begin + "; it is tried again until then")
                : Optional.empty();
    }

    /**
     * Returns a problem if no certificate in the file of the authority has signed the last certificate of the chain.
     * For a chain of one certificate, only this check finds damage: all other checks pass if the key matches.
     */
    private Optional<String> notSigned(CertifiedKey identity) {
        Path file = authorityFile(files);
        if (files.clientCa().filter(clients -> isSame(clients, file)).isPresent()) {
            // The file also contains the authorities for client certificates, which need not have signed the server's
            // certificate.
            return Optional.empty();
        }
        List<X509Certificate> known = besides(file);
        X509Certificate last = identity.chain().getLast();
        return known.isEmpty() || known.stream().anyMatch(authority -> CertificatePath.isIssuer(authority, last))
                ? Optional.empty()
                : Optional.of("ends with a certificate that nothing in " + file
                        + " has signed; copy all three files from the same place, or remove that one");
    }

    private static boolean isSame(Path one, Path other) {
        return one.toAbsolutePath().normalize().equals(other.toAbsolutePath().normalize());
    }

    ActiveTlsMessage next(ActiveTlsMessage active, ServerTls tls, Instant now) {
        return new ActiveTlsMessage(tls, authorities(files, tls.identity()), now, active.generation() + 1);
    }

    /**
     * Returns the authorities of a certificate. These are all certificates of the chain except the first. The
     * certificate that has signed the last one of the chain is added, if the file of the authority contains it.
     */
    private static List<X509Certificate> authorities(TlsFiles files, CertifiedKey identity) {
        List<X509Certificate> chain = identity.chain();
        List<X509Certificate> authorities = new ArrayList<>(chain.subList(1, chain.size()));
        besides(authorityFile(files)).stream()
                .filter(authority -> CertificatePath.isIssuer(authority, chain.getLast()))
                .findFirst()
                .ifPresent(authorities::add);
        return authorities;
    }

    private static List<X509Certificate> besides(Path file) {
        try {
            return PemFile.read(file).certificates();
        } catch (PemFile.UnusableFileException notNeeded) {
            return List.of();
        }
    }

    private static Path authorityFile(TlsFiles files) {
        return switch (files.use()) {
            case WEBHOOK -> files.certificate().resolveSibling(AUTHORITY);
            case PEERS -> files.clientCa().orElseThrow();
        };
    }
}
