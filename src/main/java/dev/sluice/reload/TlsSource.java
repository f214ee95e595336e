package dev.sluice.reload;

import dev.sluice.bus.ActiveTls;
import dev.sluice.tls.CertificatePath;
import dev.sluice.tls.CertifiedKey;
import dev.sluice.tls.PemFile;
import dev.sluice.tls.ServerTls;
import dev.sluice.tls.TlsReader;
import dev.sluice.tls.TlsReader.TlsFiles;
import dev.sluice.tls.TlsReader.TlsReading;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The TLS files of a gateway that serves with what they held.
 *
 * @param first what they held at the start
 * @param betweenLooks the time between two looks at them
 */
public record TlsSource(TlsFiles files, ActiveTls first, Duration betweenLooks) {

    /** As for the policy: a change is in use within 2 s after this machine sees it. */
    private static final Duration POLL_INTERVAL = Duration.ofMillis(500);

    /** cert-manager and 'sluice certs make' write the authority beside the certificate. */
    private static final String AUTHORITY = "ca.crt";

    /** The source of files that were read just now. Blocks. */
    public static TlsSource of(TlsFiles files, ServerTls tls, Instant now) {
        return new TlsSource(files, ActiveTls.first(tls, authorities(files, tls.identity()), now), POLL_INTERVAL);
    }

    List<Path> paths() {
        return Stream.concat(
                        Stream.of(files.certificate(), files.key(), authorityFile(files)), files.clientCa().stream())
                .toList();
    }

    /** Reads the files, and proves what they hold if it is not what is served already. Blocks. */
    TlsReading read(ServerTls served, Instant now) {
        TlsReading reading = TlsReader.read(files, served.engine(), now);
        return reading instanceof TlsReading.Usable usable && !usable.tls().equals(served)
                ? problem(usable.tls(), now)
                        .<TlsReading>map(problem -> new TlsReading.UnusableTls(List.of(problem), usable.warnings()))
                        .orElse(usable)
                : reading;
    }

    private Optional<String> problem(ServerTls tls, Instant now) {
        return notValidYet(tls, now)
                .or(() -> notSigned(tls.identity()))
                .or(() -> HandshakeProof.problem(tls))
                .map(problem -> "tls.certificate: " + files.certificate() + " " + problem);
    }

    /** A gateway that starts with such a pair can only wait; one that has a good pair serves on with it. */
    private static Optional<String> notValidYet(ServerTls tls, Instant now) {
        Instant begin = tls.identity().certificate().getNotBefore().toInstant();
        return now.isBefore(begin)
                ? Optional.of("is not valid before " + begin + "; it is tried again until then")
                : Optional.empty();
    }

    /** If the chain is one certificate, nothing else shows that it was damaged while the key still fits it. */
    private Optional<String> notSigned(CertifiedKey identity) {
        Path file = authorityFile(files);
        if (files.clientCa().filter(clients -> isSame(clients, file)).isPresent()) {
            // It holds the authorities of clients, which need not be the server's.
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

    ActiveTls next(ActiveTls active, ServerTls tls, Instant now) {
        return new ActiveTls(tls, authorities(files, tls.identity()), now, active.generation() + 1);
    }

    /** The rest of the chain, and what stands in the file beside it if that has signed the last certificate. */
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
        return files.certificate().resolveSibling(AUTHORITY);
    }
}
