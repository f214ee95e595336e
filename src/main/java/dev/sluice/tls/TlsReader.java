package dev.sluice.tls;

import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the TLS files once, and checks whether their certificates are valid at one point in time. */
public final class TlsReader {

    /** The types of keys for which both engines can serve a certificate, and which every API server accepts. */
    private static final Set<String> SERVED = Set.of("EC", "RSA");

    /** The DNS name of the Service in the manifests. */
    private static final String SERVICE = "gpu-webhook.gpu-webhook.svc";

    private final Instant now;
    private final List<String> problems = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();

    private TlsReader(Instant now) {
        this.now = now;
    }

    public static TlsReading read(TlsFiles files, TlsEngine engine, Instant now) {
        return new TlsReader(now).reading(files, engine);
    }

    private TlsReading reading(TlsFiles files, TlsEngine engine) {
        engine.problem().ifPresent(problems::add);
        @Nullable CertifiedKey identity = identity(files).orElse(null);
        List<X509Certificate> authorities = files.clientCa()
                .flatMap(file -> file("tls.clientCa", file))
                .flatMap(file -> content("tls.clientCa", () -> file.clientAuthorities(now)))
                .orElse(List.of());
        return identity == null || !problems.isEmpty()
                ? new TlsReading.UnusableTls(problems, warnings)
                : new TlsReading.Usable(new ServerTls(identity, authorities, engine), warnings);
    }

    private Optional<CertifiedKey> identity(TlsFiles files) {
        Optional<PemFile> certificate = file("tls.certificate", files.certificate());
        Optional<PemFile> key = file("tls.key", files.key());
        Optional<List<X509Certificate>> chain =
                certificate.flatMap(file -> content("tls.certificate", file::certificates));
        Optional<PrivateKey> ofKey = key.flatMap(file -> content("tls.key", file::privateKey));
        if (chain.isEmpty() || ofKey.isEmpty()) {
            chain.ifPresent(read -> judge(files.certificate(), read));
            return Optional.empty();
        }
        // If the key does not belong to the first certificate, it is unclear which certificate the user meant.
        Optional<CertifiedKey> identity =
                content("tls", () -> certificate.orElseThrow().paired(chain.get(), key.orElseThrow(), ofKey.get()));
        identity.ifPresent(pair -> judge(files.certificate(), pair.chain()));
        return identity;
    }

    private Optional<PemFile> file(String setting, Path path) {
        return content(setting, () -> PemFile.read(path));
    }

    /** Returns the content of a file. Reports a problem and returns empty if the file cannot be used. */
    private <T> Optional<T> content(String setting, PemContent<T> content) {
        try {
            return Optional.of(content.read());
        } catch (PemFile.UnusableFileException e) {
            problems.add(setting + ": " + e.getMessage());
            return Optional.empty();
        }
    }

    private void judge(Path file, List<X509Certificate> chain) {
        X509Certificate certificate = chain.getFirst();
        judgeValidity(file, certificate);
        new CertificatePath(chain)
                .problem(now)
                .ifPresent(problem -> problems.add("tls.certificate: " + file + " " + problem));
        warnOfNames(file, certificate);
        String algorithm = certificate.getPublicKey().getAlgorithm();
        if (!SERVED.contains(algorithm)) {
            problems.add("tls.certificate: " + file + " has a key of type " + algorithm
                    + ", which is not served; use EC (P-256) or RSA");
        }
    }

    private void judgeValidity(Path file, X509Certificate certificate) {
        if (now.isAfter(certificate.getNotAfter().toInstant())) {
            problems.add("tls.certificate: " + file + " expired on "
                    + certificate.getNotAfter().toInstant() + "; make a new pair with 'sluice certs make --dir "
                    + file.toAbsolutePath().getParent() + " --force'");
        }
        if (now.isBefore(certificate.getNotBefore().toInstant())) {
            warnings.add("tls.certificate: " + file + " is not valid before "
                    + certificate.getNotBefore().toInstant() + "; until then the API server refuses it");
        }
    }

    private void warnOfNames(Path file, X509Certificate certificate) {
        if (!namesAnything(certificate)) {
            warnings.add("tls.certificate: " + file
                    + " has no subject alternative names; the API server does not look at the common name and refuses"
                    + " it");
        } else if (!CertificateNames.of(certificate).cover(SERVICE)) {
            warnings.add("tls.certificate: " + file + " is not for " + SERVICE
                    + ", the name by which the API server calls the service of the manifests; it refuses the"
                    + " certificate unless it calls by another name");
        }
    }

    private static boolean namesAnything(X509Certificate certificate) {
        try {
            return certificate.getSubjectAlternativeNames() != null;
        } catch (CertificateParsingException _) {
            return false;
        }
    }

    private interface PemContent<T> {
        T read() throws PemFile.UnusableFileException;
    }

    /** The PEM files of a server. {@code clientCa} is present if clients must show a certificate. */
    public record TlsFiles(Path certificate, Path key, Optional<Path> clientCa) {}

    /** The result of reading the TLS files. */
    public sealed interface TlsReading {

        /**
         * The files can be used.
         *
         * @param warnings sentences for the log
         */
        record Usable(ServerTls tls, List<String> warnings) implements TlsReading {
            public Usable {
                warnings = List.copyOf(warnings);
            }
        }

        /**
         * At least one of the files cannot be used.
         *
         * @param problems sentences that name the configuration key, the file and what to do
         * @param warnings sentences about the files that can be used
         */
        record UnusableTls(List<String> problems, List<String> warnings) implements TlsReading {
            public UnusableTls {
                problems = List.copyOf(problems);
                warnings = List.copyOf(warnings);
            }
        }
    }
}
