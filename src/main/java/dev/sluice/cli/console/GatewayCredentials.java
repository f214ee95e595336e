package dev.sluice.cli.console;

import dev.sluice.files.FileReadFailure;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import java.util.Optional;
import javax.net.ssl.SSLContext;
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

    /** Returns the TLS context with the trusted authorities. Returns empty for Java's default authorities. */
    Optional<SSLContext> trust() throws UserProblem {
        if (authorities.isEmpty()) {
            return Optional.empty();
        }
        byte[] pem = read("--ca-file", authorities.get());
        try {
            Collection<? extends Certificate> certificates =
                    CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(pem));
            if (certificates.isEmpty()) {
                throw new UserProblem("--ca-file " + authorities.get() + " holds no certificate");
            }
            return Optional.of(trusting(certificates));
        } catch (GeneralSecurityException | IOException unusable) {
            throw new UserProblem("--ca-file " + authorities.get() + " holds no certificates in PEM", unusable);
        }
    }

    private static SSLContext trusting(Collection<? extends Certificate> certificates)
            throws GeneralSecurityException, IOException {
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, null);
        int number = 0;
        for (Certificate certificate : certificates) {
            trusted.setCertificateEntry("authority-" + number, certificate);
            number++;
        }
        TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        return context;
    }

    private static byte[] read(String option, Path file) throws UserProblem {
        try {
            return Files.readAllBytes(file);
        } catch (IOException unreadable) {
            throw new UserProblem(
                    option + " " + file + " " + FileReadFailure.sentence(unreadable, "name another file"), unreadable);
        }
    }
}
