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
public final class TlsCertificateReader {

    /** The types of keys that both TLS engines support for server certificates, and that every API server accepts. */
    private static final Set<String> SERVED = Set.of("EC", "RSA");

    /** The DNS name of the Service in the manifests. */
    private static final String SERVICE = "gpu-webhook.gpu-webhook.svc";

    private final TlsFiles files;
    private final CertificateUse use;
    private final Instant now;
    private final List<String> problems = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();

    private TlsCertificateReader(TlsFiles files, Instant now) {
        this.files = files;
        this.use = files.use();
        this.now = now;
    }

    public static TlsReading read(TlsFiles files, TlsEngine engine, Instant now) {
        return new TlsCertificateReader(files, now).reading(engine);
    }

    /**
     * Returns a warning if an authority for the certificates of replicas also signs certificates of the webhook or of
     * its callers. Anybody with such a certificate could then pose as a replica.
     *
     * @param files the files of {@code peers}
     */
    public static Optional<String> warningOfSharedAuthority(TlsFiles files, ServerTls webhook, ServerTls peers) {
        List<X509Certificate> chain = webhook.identity().chain();
        boolean shared = peers.clientAuthorities().stream()
                .anyMatch(authority -> chain.contains(authority)
                        || webhook.clientAuthorities().contains(authority)
                        || CertificatePath.isIssuer(authority, chain.getLast()));
        return shared
                ? Optional.of(CertificateUse.PEERS.authorityKey() + ": "
                        + files.clientCa().orElseThrow()
                        + " holds an authority of the webhook or of its callers, too, so that whoever gets a certificate of"
                        + " it may pose as a replica; make an authority for replicas alone with '"
                        + CertificateUse.PEERS.commandToMake() + "DIR'")
                : Optional.empty();
    }

    private TlsReading reading(TlsEngine engine) {
        engine.problem().ifPresent(problems::add);
        @Nullable CertifiedKey identity = identity().orElse(null);
        List<X509Certificate> authorities = files.clientCa()
                .flatMap(file -> file(use.authorityKey(), file))
                .flatMap(file -> content(use.authorityKey(), () -> authorities(file)))
                .orElse(List.of());
        if (use == CertificateUse.PEERS && identity != null && !authorities.isEmpty()) {
            judgeAuthorities(identity.chain(), authorities);
        }
        return identity == null || !problems.isEmpty()
                ? new TlsReading.UnusableTls(problems, warnings)
                : new TlsReading.Usable(new ServerTls(identity, authorities, engine), warnings);
    }

    private List<X509Certificate> authorities(PemFile file) throws PemFile.UnusableFileException {
        return switch (use) {
            case WEBHOOK -> file.clientAuthorities(now);
            case PEERS -> file.peerAuthorities(now);
        };
    }

    private Optional<CertifiedKey> identity() {
        Optional<PemFile> certificate = file(use.certificateKey(), files.certificate());
        Optional<PemFile> key = file(use.privateKeyKey(), files.key());
        Optional<List<X509Certificate>> chain =
                certificate.flatMap(file -> content(use.certificateKey(), file::certificates));
        Optional<PrivateKey> ofKey = key.flatMap(file -> content(use.privateKeyKey(), file::privateKey));
        if (chain.isEmpty() || ofKey.isEmpty()) {
            chain.ifPresent(this::judge);
            return Optional.empty();
        }
        // If the key does not belong to the first certificate, the user may have meant another chain, so this chain is
        // not checked further.
        Optional<CertifiedKey> identity = content(
                use.section(),
                () -> certificate.orElseThrow().paired(chain.get(), key.orElseThrow(), ofKey.get(), use));
        identity.ifPresent(pair -> judge(pair.chain()));
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

    private void judge(List<X509Certificate> chain) {
        X509Certificate certificate = chain.getFirst();
        judgeValidity(certificate);
        CertificatePath path = new CertificatePath(chain);
        if (use == CertificateUse.PEERS && !path.isForServersAndClients()) {
            problem("is not for servers and for clients by its extended key usage, and a replica is both"
                    + orMakeAnother());
        } else {
            path.problem(now).ifPresent(this::problem);
        }
        judgeNames(certificate);
        String algorithm = certificate.getPublicKey().getAlgorithm();
        if (!SERVED.contains(algorithm)) {
            problem("has a key of type " + algorithm + ", which is not served; use EC (P-256) or RSA");
        }
    }

    /** Reports a problem of the certificate. The text continues a sentence that begins with the name of the file. */
    private void problem(String fault) {
        problems.add(use.certificateKey() + ": " + files.certificate() + " " + fault);
    }

    private void warning(String fault) {
        warnings.add(use.certificateKey() + ": " + files.certificate() + " " + fault);
    }

    private String orMakeAnother() {
        return "; make another pair with '" + use.commandToMake() + directory() + " --force'";
    }

    private @Nullable Path directory() {
        return files.certificate().toAbsolutePath().getParent();
    }

    private void judgeValidity(X509Certificate certificate) {
        if (now.isAfter(certificate.getNotAfter().toInstant())) {
            problem("expired on " + certificate.getNotAfter().toInstant() + "; make a new pair with '"
                    + use.commandToMake() + directory() + " --force'");
        }
        if (now.isBefore(certificate.getNotBefore().toInstant())) {
            warning("is not valid before " + certificate.getNotBefore().toInstant() + "; until then "
                    + switch (use) {
                        case WEBHOOK -> "the API server refuses it";
                        case PEERS -> "other replicas refuse it";
                    });
        }
    }

    private void judgeNames(X509Certificate certificate) {
        switch (use) {
            case WEBHOOK -> warnOfNames(certificate);
            case PEERS -> {
                if (!CertificateNames.of(certificate).cover(CertificateUse.PEER_NAME)) {
                    problem("does not have the DNS name " + CertificateUse.PEER_NAME
                            + " among its subject alternative names, by which replicas know each other"
                            + orMakeAnother());
                }
            }
        }
    }

    private void warnOfNames(X509Certificate certificate) {
        if (!namesAnything(certificate)) {
            warning("has no subject alternative names; the API server does not look at the common name and refuses"
                    + " it");
        } else if (!CertificateNames.of(certificate).cover(SERVICE)) {
            warning("is not for " + SERVICE
                    + ", the name by which the API server calls the service of the manifests; it refuses the"
                    + " certificate unless it calls by another name");
        }
    }

    /**
     * Reports a problem if no certificate in the file of authorities has signed this chain. Other replicas trust the
     * same authorities, so they would reject the chain.
     */
    private void judgeAuthorities(List<X509Certificate> chain, List<X509Certificate> authorities) {
        X509Certificate last = chain.getLast();
        boolean trusted = authorities.contains(last)
                || authorities.stream().anyMatch(authority -> CertificatePath.isIssuer(authority, last));
        if (!trusted) {
            problem("is signed by no certificate in " + files.clientCa().orElseThrow()
                    + ", so that replicas would refuse each other; copy all three files from the same place");
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

    /** The PEM files of a server. {@code clientCa} is present if clients must present a certificate. */
    public record TlsFiles(Path certificate, Path key, Optional<Path> clientCa, CertificateUse use) {

        /** Creates the record for the files of the webhook. */
        public TlsFiles(Path certificate, Path key, Optional<Path> clientCa) {
            this(certificate, key, clientCa, CertificateUse.WEBHOOK);
        }

        /** Creates the record for the files with which replicas authenticate to each other. */
        public static TlsFiles ofPeers(Path certificate, Path key, Path authority) {
            return new TlsFiles(certificate, key, Optional.of(authority), CertificateUse.PEERS);
        }
    }

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
