package dev.sluice.it;

import dev.sluice.tls.CertificateAuthority;
import dev.sluice.tls.CertifiedKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

/** The files by which replicas know each other, in one directory. */
record PeerCertificates(Path directory, CertificateAuthority authority) {

    private static final Duration VALIDITY = Duration.ofDays(1);

    static PeerCertificates in(Path directory) throws IOException {
        CertificateAuthority authority = CertificateAuthority.create(Instant.now(), VALIDITY);
        PeerCertificates made = new PeerCertificates(directory, authority);
        CertifiedKey certificate = made.certificate();
        Files.writeString(directory.resolve("peers.crt"), certificate.certificatePem());
        Files.writeString(directory.resolve("peers.key"), certificate.keyPem());
        Files.writeString(directory.resolve("peers-ca.crt"), authority.certificatePem());
        return made;
    }

    /** One as every replica has it. */
    CertifiedKey certificate() {
        return authority.issueForPeers(Instant.now(), VALIDITY);
    }

    /** The section of a replica's configuration. */
    String configuration(int port, String advertisedAddress) {
        return """
            peers:
              host: 127.0.0.1
              port: %d
              advertisedAddress: "%s"
              certificate: %3$s/peers.crt
              key: %3$s/peers.key
              authority: %3$s/peers-ca.crt
            """.formatted(port, advertisedAddress, directory);
    }
}
