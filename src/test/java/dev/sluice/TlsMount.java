package dev.sluice;

import dev.sluice.reload.ReloadedTlsFiles;
import dev.sluice.tls.CertificateAuthority;
import dev.sluice.tls.Certificates;
import dev.sluice.tls.CertifiedKey;
import dev.sluice.tls.TlsCertificateReader;
import dev.sluice.tls.TlsCertificateReader.TlsFiles;
import dev.sluice.tls.TlsCertificateReader.TlsReading;
import dev.sluice.tls.TlsEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** A Secret with certificates as kubelet mounts it: {@code ..data} is a link that is replaced. */
record TlsMount(Path directory) {

    private static final char[] NO_PASSWORD = {};

    /** So that a test of many rotations is short. */
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(10);

    static TlsMount of(Path directory, Map<String, String> files) throws IOException {
        TlsMount mount = new TlsMount(directory);
        mount.swap(files);
        for (String name : files.keySet()) {
            Files.createSymbolicLink(directory.resolve(name), Path.of("..data", name));
        }
        return mount;
    }

    /** What cert-manager and 'sluice certs make' write. */
    static Map<String, String> secret(CertificateAuthority authority, CertifiedKey pair) {
        return Map.of("tls.crt", pair.certificatePem(), "tls.key", pair.keyPem(), "ca.crt", authority.certificatePem());
    }

    /** All files change at once. */
    void swap(Map<String, String> files) throws IOException {
        Path data = directory.resolve("..data");
        Optional<Path> former = Files.exists(data) ? Optional.of(data.toRealPath()) : Optional.empty();
        Path version = Files.createDirectory(directory.resolve("..v" + UUID.randomUUID()));
        for (Map.Entry<String, String> file : files.entrySet()) {
            Files.writeString(version.resolve(file.getKey()), file.getValue());
        }
        Path link = Files.createSymbolicLink(directory.resolve("..tmp"), version.getFileName());
        Files.move(link, data, StandardCopyOption.ATOMIC_MOVE);
        if (former.isPresent()) {
            for (Path old : ProjectFiles.below(former.get(), _ -> true)) {
                Files.delete(old);
            }
            Files.delete(former.get());
        }
    }

    ReloadedTlsFiles source(TlsEngine engine) {
        Path authorities = directory.resolve("client-ca.crt");
        return reloaded(
                new TlsFiles(
                        directory.resolve("tls.crt"),
                        directory.resolve("tls.key"),
                        Files.exists(authorities) ? Optional.of(authorities) : Optional.empty()),
                engine);
    }

    /** Pairs for other replicas, with the authority of the same Secret. */
    ReloadedTlsFiles peers(TlsEngine engine) {
        return reloaded(
                TlsFiles.ofPeers(
                        directory.resolve("tls.crt"), directory.resolve("tls.key"), directory.resolve("ca.crt")),
                engine);
    }

    private static ReloadedTlsFiles reloaded(TlsFiles files, TlsEngine engine) {
        TlsReading.Usable first = (TlsReading.Usable) TlsCertificateReader.read(files, engine, Instant.now());
        ReloadedTlsFiles source = ReloadedTlsFiles.of(files, first.tls(), Instant.now());
        return new ReloadedTlsFiles(files, source.first(), BETWEEN_LOOKS);
    }

    /** A client that trusts these authorities, and shows this certificate if there is one. */
    static SSLContext client(@Nullable CertifiedKey identity, CertificateAuthority... trusted) throws Exception {
        KeyStore store = empty();
        for (CertificateAuthority authority : trusted) {
            store.setCertificateEntry(
                    UUID.randomUUID().toString(), authority.identity().certificate());
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        KeyStore own = empty();
        if (identity != null) {
            own.setKeyEntry("own", identity.key(), NO_PASSWORD, identity.chain().toArray(Certificate[]::new));
        }
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(own, NO_PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    private static KeyStore empty() throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }

    /** The certificate that a new connection is shown. */
    static X509Certificate served(SSLContext client, int port) throws IOException {
        try (SSLSocket socket = (SSLSocket) client.getSocketFactory().createSocket("localhost", port)) {
            socket.setSoTimeout(10_000);
            socket.startHandshake();
            return (X509Certificate) Objects.requireNonNull(socket.getSession().getPeerCertificates())[0];
        }
    }

    static CertifiedKey leaf(CertificateAuthority authority) {
        return Certificates.leaf(authority);
    }
}
