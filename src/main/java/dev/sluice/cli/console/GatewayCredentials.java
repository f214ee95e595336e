package dev.sluice.cli.console;

import dev.sluice.files.FileReadFailure;
import dev.sluice.tls.CertificateNameTrust;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/**
 * The bearer token of a command, and the authorities that the command trusts for the gateway's certificate.
 *
 * @param token the file with the bearer token
 * @param authorities the file with the trusted authorities; empty to trust Java's default authorities
 */
record GatewayCredentials(Optional<Path> token, Optional<Path> authorities) {

    /** The credentials without a token, with Java's default authorities. */
    public static final GatewayCredentials NONE = new GatewayCredentials(Optional.empty(), Optional.empty());

    /** The maximum length of a file in bytes. The authorities of a company have some tens of KiB. */
    private static final int MOST_BYTES = 1 << 20;

    /** Returns the value of the header Authorization. No error message contains the token. */
    Optional<String> authorization() throws UserProblem {
        if (token.isEmpty()) {
            return Optional.empty();
        }
        String text = new String(read("--token-file", token.get()), StandardCharsets.UTF_8).strip();
        if (!text.matches("[\\x21-\\x7e]+")) {
            throw new UserProblem("--token-file " + token.get() + " holds no token; expected one line without blanks");
        }
        return Optional.of("Bearer " + text);
    }

    /** Provides the trusted authorities if the user has named none. */
    interface OtherAuthorities {
        List<X509Certificate> get() throws UserProblem;
    }

    boolean hasToken() {
        return token.isPresent();
    }

    /** Returns the TLS context with the trusted authorities. Returns empty for Java's default authorities. */
    Optional<SSLContext> trust() throws UserProblem {
        return authorities.isEmpty() ? Optional.empty() : Optional.of(context(trusting(fromFile(authorities.get()))));
    }

    /**
     * Returns the TLS context for a gateway whose certificate does not contain the address that is used.
     *
     * @param name the name for which its certificate must be valid
     * @param others the source of the trusted authorities if the user has named none
     */
    SSLContext trust(String name, OtherAuthorities others) throws UserProblem {
        List<X509Certificate> trusted = authorities.isEmpty() ? others.get() : fromFile(authorities.get());
        return context(new TrustManager[] {new CertificateNameTrust(trusted, name)});
    }

    private static List<X509Certificate> fromFile(Path file) throws UserProblem {
        byte[] pem = read("--ca-file", file);
        try {
            List<X509Certificate> certificates =
                    CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(pem)).stream()
                            .map(X509Certificate.class::cast)
                            .toList();
            if (certificates.isEmpty()) {
                throw new UserProblem("--ca-file " + file + " holds no certificate");
            }
            return certificates;
        } catch (CertificateException unusable) {
            throw new UserProblem("--ca-file " + file + " holds no certificates in PEM", unusable);
        }
    }

    private static TrustManager[] trusting(List<X509Certificate> certificates) {
        try {
            KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
            trusted.load(null, null);
            for (int number = 0; number < certificates.size(); number++) {
                trusted.setCertificateEntry("authority-" + number, certificates.get(number));
            }
            TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            managers.init(trusted);
            return managers.getTrustManagers();
        } catch (GeneralSecurityException | IOException impossible) {
            throw new IllegalStateException("the JDK could not verify certificates", impossible);
        }
    }

    private static SSLContext context(TrustManager[] managers) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, managers, null);
            return context;
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("the JDK has no TLS", impossible);
        }
    }

    private static byte[] read(String option, Path file) throws UserProblem {
        try (InputStream source = Files.newInputStream(file)) {
            byte[] content = source.readNBytes(MOST_BYTES + 1);
            if (content.length > MOST_BYTES) {
                throw new UserProblem(option + " " + file + " is larger than 1 MiB; name another file");
            }
            return content;
        } catch (IOException unreadable) {
            throw new UserProblem(
                    option + " " + file + " " + FileReadFailure.sentence(unreadable, "name another file"), unreadable);
        }
    }
}
