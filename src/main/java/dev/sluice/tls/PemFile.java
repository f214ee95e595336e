package dev.sluice.tls;

import dev.sluice.files.FileReadFailure;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serial;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The content of a PEM file. */
public record PemFile(Path path, String text) {

    /**
     * The maximum size of a file in bytes. The bundle of all public authorities has 220 KiB, so a larger file is
     * certainly not the file that the user meant.
     */
    private static final int LARGEST = 1 << 20;

    /**
     * The names of the files that 'sluice certs make' writes. If one of these files is missing, the error message
     * suggests that command.
     */
    private static final Set<String> MADE_BY_SLUICE = Set.of("ca.crt", "ca.key", "tls.crt", "tls.key");

    /** The names of the files that 'sluice certs make --peers' writes. */
    private static final Set<String> MADE_FOR_PEERS =
            MADE_BY_SLUICE.stream().map(CertificateUse.PEERS.prefix()::concat).collect(Collectors.toSet());

    private static final Pattern BEGIN = Pattern.compile("-----BEGIN ");

    public static PemFile read(Path path) throws UnusableFileException {
        if (Files.isDirectory(path)) {
            throw new UnusableFileException(path + " is a directory; name the PEM file in it");
        }
        try (InputStream in = Files.newInputStream(path)) {
            byte[] bytes = in.readNBytes(LARGEST + 1);
            if (bytes.length > LARGEST) {
                throw new UnusableFileException(path + " is larger than 1 MiB; name a PEM file");
            }
            return new PemFile(path, new String(bytes, StandardCharsets.ISO_8859_1));
        } catch (IOException failed) {
            FileReadFailure failure = FileReadFailure.of(failed);
            throw new UnusableFileException(path + " " + failure.fault()
                    + switch (failure) {
                        case MISSING -> "; correct the path" + orMakeIt(path);
                        case DENIED -> "; change its owner or its mode";
                        case NOT_UTF8, OTHER -> " (" + failed.getMessage() + ")";
                    });
        }
    }

    private static String orMakeIt(Path path) {
        String name = String.valueOf(path.getFileName());
        Path directory = directory(path);
        return MADE_BY_SLUICE.contains(name)
                ? ", or make the file with '" + CertificateUse.WEBHOOK.commandToMake() + directory + "'"
                : MADE_FOR_PEERS.contains(name)
                        ? ", or make the file with '" + CertificateUse.PEERS.commandToMake() + directory + "'"
                        : "";
    }

    private static Path directory(Path path) {
        return Objects.requireNonNullElse(path.getParent(), Path.of("."));
    }

    /** Returns the certificates in the order of the file. Throws an exception if there are none. */
    public List<X509Certificate> certificates() throws UnusableFileException {
        List<X509Certificate> certificates = new ArrayList<>();
        for (PemBlock block : blocks()) {
            if (block.label().equals(PemBlock.CERTIFICATE)) {
                certificates.add(certificate(block, certificates.size() + 1));
            }
        }
        if (certificates.isEmpty()) {
            throw new UnusableFileException(
                    path + " holds no certificate; it needs a block '-----BEGIN CERTIFICATE-----'" + whatIsThere());
        }
        return certificates;
    }

    /** Returns the authorities for client certificates. Throws an exception if all of them have expired. */
    public List<X509Certificate> clientAuthorities(Instant now) throws UnusableFileException {
        return authorities(now, "so no client could get in; put the API server's present authority there");
    }

    /** Returns the authorities for the certificates of replicas. Throws an exception if all of them have expired. */
    List<X509Certificate> peerAuthorities(Instant now) throws UnusableFileException {
        return authorities(now, "so replicas would refuse each other; put the authority of their certificates there");
    }

    private List<X509Certificate> authorities(Instant now, String consequence) throws UnusableFileException {
        List<X509Certificate> authorities = certificates();
        if (authorities.stream()
                .allMatch(authority -> now.isAfter(authority.getNotAfter().toInstant()))) {
            throw new UnusableFileException("every certificate in " + path + " has expired, " + consequence);
        }
        return authorities;
    }

    private X509Certificate certificate(PemBlock block, int position) throws UnusableFileException {
        try {
            return (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(block.der()));
        } catch (CertificateException | IllegalArgumentException _) {
            throw new UnusableFileException(
                    path + ": certificate " + position + " cannot be decoded; copy the file again or make a new one");
        }
    }

    /** Returns the first private key of the file, in PKCS#8, PKCS#1 or SEC1. Encrypted keys are rejected. */
    PrivateKey privateKey() throws UnusableFileException {
        PemBlock block = blocks().stream()
                .filter(PemBlock::isPrivateKey)
                .findFirst()
                .orElseThrow(() -> new UnusableFileException(path
                        + " holds no private key; it needs a block '-----BEGIN PRIVATE KEY-----'" + whatIsThere()));
        if (block.isEncrypted()) {
            throw new UnusableFileException(path + " is encrypted; decrypt it with 'openssl pkey -in " + path
                    + " -out plain.key' and name that file");
        }
        return PrivateKeys.read(block)
                .orElseThrow(() -> new UnusableFileException(
                        path + ": the private key cannot be decoded; it must be an EC, RSA or Ed25519 key in PKCS#8,"
                                + " PKCS#1 or SEC1"));
    }

    /**
     * Combines the certificates of this file with the key of another file. The key must belong to the first
     * certificate.
     */
    public CertifiedKey withKey(PemFile keyFile) throws UnusableFileException {
        return paired(certificates(), keyFile, keyFile.privateKey(), CertificateUse.WEBHOOK);
    }

    /**
     * Combines a chain of this file with a key of another file. The key must belong to the first certificate. If it
     * does not, the error names the command that creates files for {@code use}.
     */
    CertifiedKey paired(List<X509Certificate> chain, PemFile keyFile, PrivateKey key, CertificateUse use)
            throws UnusableFileException {
        if (PrivateKeys.belong(key, chain.getFirst().getPublicKey())) {
            return new CertifiedKey(chain, key);
        }
        for (X509Certificate certificate : chain) {
            if (PrivateKeys.belong(key, certificate.getPublicKey())) {
                throw new UnusableFileException(path + ": " + keyFile.path + " belongs to certificate "
                        + (chain.indexOf(certificate) + 1) + " of the file; put that one first");
            }
        }
        throw new UnusableFileException(keyFile.path + " does not belong to " + path
                + "; copy both from the same place, or make a new pair with '" + use.commandToMake()
                + directory(path) + " --force'");
    }

    private List<PemBlock> blocks() throws UnusableFileException {
        List<PemBlock> blocks = PemBlock.parse(text);
        if (blocks.size() < BEGIN.matcher(text).results().count()) {
            throw new UnusableFileException(
                    path + " is cut short: a '-----BEGIN …-----' has no matching END; copy the file again");
        }
        return blocks;
    }

    private String whatIsThere() {
        List<String> labels =
                PemBlock.parse(text).stream().map(PemBlock::label).distinct().toList();
        return labels.isEmpty() ? " (there is no PEM in it at all)" : " (it has " + String.join(", ", labels) + ")";
    }

    /** Returns a text without the content of the file, which may be a private key. */
    @Override
    public String toString() {
        return "PemFile[" + path + "]";
    }

    /** Reports that a PEM file cannot be used. The message names the file and tells the user what to do. */
    public static final class UnusableFileException extends Exception {
        @Serial
        private static final long serialVersionUID = 1L;

        public UnusableFileException(String message) {
            super(message);
        }
    }
}
