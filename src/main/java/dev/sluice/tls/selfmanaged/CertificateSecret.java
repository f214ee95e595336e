package dev.sluice.tls.selfmanaged;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.sluice.tls.CertificateAuthority;
import dev.sluice.tls.CertificatePath;
import dev.sluice.tls.CertificateUse;
import dev.sluice.tls.CertifiedKey;
import dev.sluice.tls.PemFile;
import dev.sluice.tls.PemFile.UnusableFileException;
import dev.sluice.tls.selfmanaged.StoredCertificates.Authority;
import dev.sluice.tls.selfmanaged.StoredCertificates.Coverage;
import dev.sluice.tls.selfmanaged.StoredCertificates.Leaf;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The self-managed certificates in the Secret for one use: for the webhook, or for replicas that authenticate to each
 * other. A damaged part of the Secret is treated as missing.
 *
 * @param authorities the certificates in {@code ca.crt}
 * @param signer the authority whose private key is in {@code ca.key}
 * @param leaf the certificate in {@code tls.crt} with its private key in {@code tls.key}
 * @param use the use of the certificates; for replicas, the keys of the Secret have a prefix
 */
public record CertificateSecret(
        List<X509Certificate> authorities,
        Optional<CertificateAuthority> signer,
        Optional<CertifiedKey> leaf,
        CertificateUse use) {

    /**
     * The key in the data of the Secret under which the certificates of the authorities are stored. cert-manager and
     * Secrets of the type kubernetes.io/tls use the same key names. For the certificates of replicas, the key names
     * have a prefix.
     */
    public static final String AUTHORITIES = "ca.crt";

    public static final String SIGNER_KEY = "ca.key";
    public static final String LEAF = "tls.crt";
    public static final String LEAF_KEY = "tls.key";

    public CertificateSecret {
        authorities = List.copyOf(authorities);
    }

    /** Creates the content for the use {@link CertificateUse#WEBHOOK}. */
    public CertificateSecret(
            List<X509Certificate> authorities, Optional<CertificateAuthority> signer, Optional<CertifiedKey> leaf) {
        this(authorities, signer, leaf, CertificateUse.WEBHOOK);
    }

    /** Reads the content for the use {@link CertificateUse#WEBHOOK} from the data of a Secret. */
    public static CertificateSecret read(Map<String, String> data) {
        return read(data, CertificateUse.WEBHOOK);
    }

    /**
     * Reads the content for one use from the data of a Secret.
     *
     * @param data the values of the Secret in base64, by the names of their keys
     */
    static CertificateSecret read(Map<String, String> data, CertificateUse use) {
        String prefix = use.prefix();
        List<X509Certificate> authorities = certificates(file(data, prefix + AUTHORITIES));
        PemFile key = file(data, prefix + SIGNER_KEY);
        return new CertificateSecret(
                authorities,
                authorities.stream().flatMap(each -> signer(each, key).stream()).findFirst(),
                pair(file(data, prefix + LEAF), file(data, prefix + LEAF_KEY)).filter(CertificateSecret::isForServers),
                use);
    }

    private static PemFile file(Map<String, String> data, String name) {
        return new PemFile(Path.of(name), decoded(data.getOrDefault(name, "")));
    }

    private static String decoded(String base64) {
        try {
            return new String(Base64.getDecoder().decode(base64), ISO_8859_1);
        } catch (IllegalArgumentException damaged) {
            return "";
        }
    }

    private static List<X509Certificate> certificates(PemFile file) {
        try {
            return file.certificates();
        } catch (UnusableFileException damaged) {
            return List.of();
        }
    }

    private static Optional<CertificateAuthority> signer(X509Certificate certificate, PemFile key) {
        try {
            return pair(new PemFile(Path.of(AUTHORITIES), CertifiedKey.pem(List.of(certificate))), key)
                    .map(CertificateAuthority::new);
        } catch (IllegalArgumentException maySignNothing) {
            return Optional.empty();
        }
    }

    private static Optional<CertifiedKey> pair(PemFile certificate, PemFile key) {
        try {
            return Optional.of(certificate.withKey(key));
        } catch (UnusableFileException damaged) {
            return Optional.empty();
        }
    }

    private static boolean isForServers(CertifiedKey pair) {
        X509Certificate certificate = pair.certificate();
        return new CertificatePath(pair.chain())
                .problem(certificate.getNotBefore().toInstant())
                .isEmpty();
    }

    /** Returns a summary of this content in the form that {@link RotationPlan} uses. */
    public StoredCertificates summary(SelfManagedIssuer issuing) {
        return new StoredCertificates(
                authorities.stream()
                        .map(each -> new Authority(CertificateFingerprint.of(each), life(each)))
                        .toList(),
                signer.map(found -> CertificateFingerprint.of(found.identity().certificate())),
                leaf.flatMap(found -> issuer(found).map(issuer -> summary(issuing, found, issuer))));
    }

    /**
     * Returns a summary of one certificate in the form that {@link RotationPlan} uses.
     *
     * @param issuing the issuer whose names the certificate should contain
     * @param issuer the authority that has signed the certificate
     */
    public static Leaf summary(SelfManagedIssuer issuing, CertifiedKey pair, X509Certificate issuer) {
        return new Leaf(
                CertificateFingerprint.of(pair.certificate()),
                CertificateFingerprint.of(issuer),
                life(pair.certificate()),
                issuing.covered(pair.certificate()) ? Coverage.ALL_NAMES : Coverage.NAMES_MISSING);
    }

    private static RotationLifespan life(X509Certificate certificate) {
        return new RotationLifespan(
                certificate.getNotBefore().toInstant().plus(RotationLifespan.CLOCK_SKEW),
                certificate.getNotAfter().toInstant());
    }

    /** Returns the authority in this Secret that has signed the last certificate in the chain of {@code pair}. */
    public Optional<X509Certificate> issuer(CertifiedKey pair) {
        X509Certificate last = pair.chain().getLast();
        return authorities.stream()
                .filter(each -> CertificatePath.isIssuer(each, last))
                .findFirst();
    }

    /**
     * Returns a copy with the new authority {@code fresh}, which signs all further certificates. Of the old
     * authorities, the copy keeps only those in {@code beside}.
     */
    public CertificateSecret introducing(CertificateAuthority fresh, List<X509Certificate> beside) {
        return new CertificateSecret(
                Stream.concat(Stream.of(fresh.identity().certificate()), beside.stream())
                        .toList(),
                Optional.of(fresh),
                leaf,
                use);
    }

    public CertificateSecret restoring(X509Certificate authority) {
        return new CertificateSecret(
                Stream.concat(authorities.stream(), Stream.of(authority)).toList(), signer, leaf, use);
    }

    public CertificateSecret holding(CertifiedKey newLeaf) {
        return new CertificateSecret(authorities, signer, Optional.of(newLeaf), use);
    }

    public CertificateSecret without(Set<String> retired) {
        return new CertificateSecret(
                authorities.stream()
                        .filter(each -> !retired.contains(CertificateFingerprint.of(each)))
                        .toList(),
                signer,
                leaf,
                use);
    }

    /**
     * Returns a copy of {@code data} in which this content replaces the values of Sluice's keys. Other keys are kept. A
     * part that is missing in this content, for example because it was damaged, becomes an empty value.
     */
    public Map<String, String> writtenOver(Map<String, String> data) {
        Map<String, String> written = new HashMap<>(data);
        String prefix = use.prefix();
        written.put(prefix + AUTHORITIES, encoded(CertifiedKey.pem(authorities)));
        written.put(
                prefix + SIGNER_KEY,
                encoded(signer.map(each -> each.identity().keyPem()).orElse("")));
        written.put(
                prefix + LEAF, encoded(leaf.map(CertifiedKey::certificatePem).orElse("")));
        written.put(prefix + LEAF_KEY, encoded(leaf.map(CertifiedKey::keyPem).orElse("")));
        return written;
    }

    private static String encoded(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(ISO_8859_1));
    }

    /** Returns the keys of the Secret whose values cannot be used. */
    public List<String> damaged(Map<String, String> data) {
        Map<String, String> usable = writtenOver(Map.of());
        List<String> damaged = new ArrayList<>();
        for (String name : List.of(AUTHORITIES, SIGNER_KEY, LEAF, LEAF_KEY)) {
            String key = use.prefix() + name;
            if (!data.getOrDefault(key, "").isEmpty()
                    && usable.getOrDefault(key, "").isEmpty()) {
                damaged.add(key);
            }
        }
        return damaged;
    }

    /** Returns a text without the private keys, so that a log line cannot contain them. */
    @Override
    public String toString() {
        return "CertificateSecret[" + authorities.size() + " authorities, signer=" + signer.isPresent() + ", leaf="
                + leaf.isPresent() + "]";
    }
}
