package dev.sluice.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.RSAKeyGenParameterSpec;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Real handshakes of the JDK's client with a Vert.x server. */
class ServerTlsTest {

    private static final char[] NO_PASSWORD = {};
    /** A handshake that hangs is a failure, not a slow test. */
    private static final int PATIENCE_MILLIS = 10_000;

    @TempDir
    private Path directory;

    private final CertificateAuthority authority = Certificates.authority();
    private final CertificateAuthority clientAuthority = Certificates.authority();
    private final CertifiedKey server = Certificates.leaf(authority);
    private Vertx vertx;

    @BeforeEach
    void start() {
        vertx = Vertx.vertx();
    }

    @AfterEach
    void stop() throws Exception {
        vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    @ParameterizedTest
    @CsvSource({"OPENSSL, TLSv1.2", "OPENSSL, TLSv1.3", "JDK, TLSv1.2", "JDK, TLSv1.3"})
    void servesAClientThatTrustsTheAuthority(TlsEngine engine, String protocol) throws Exception {
        int port = serve(ServerTls.open(server, engine));

        assertThat(get(port, trusting(authority), protocol)).startsWith("HTTP/1.1 200");
    }

    @ParameterizedTest
    @EnumSource
    void isRefusedByAClientThatTrustsAnother(TlsEngine engine) throws Exception {
        int port = serve(ServerTls.open(server, engine));

        assertThatThrownBy(() -> get(port, trusting(clientAuthority), "TLSv1.3"))
                .isInstanceOf(SSLHandshakeException.class);
    }

    @ParameterizedTest
    @EnumSource
    void speaksNoHttp2(TlsEngine engine) throws Exception {
        int port = serve(ServerTls.open(server, engine));

        try (SSLSocket socket = connect(port, trusting(authority), "TLSv1.3")) {
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setApplicationProtocols(new String[] {"h2", "http/1.1"});
            socket.setSSLParameters(parameters);
            socket.startHandshake();
            assertThat(socket.getApplicationProtocol()).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({"OPENSSL, TLSv1.2", "OPENSSL, TLSv1.3", "JDK, TLSv1.2", "JDK, TLSv1.3"})
    void servesAClientWithACertificateWhereOneIsRequired(TlsEngine engine, String protocol) throws Exception {
        int port = serve(requiringClients(engine));

        SSLContext client = context(keys(Certificates.client(clientAuthority)), authority);
        assertThat(get(port, client, protocol)).startsWith("HTTP/1.1 200");
    }

    @ParameterizedTest
    @CsvSource({"OPENSSL, TLSv1.2", "OPENSSL, TLSv1.3", "JDK, TLSv1.2", "JDK, TLSv1.3"})
    void refusesAClientWithoutACertificateWhereOneIsRequired(TlsEngine engine, String protocol) throws Exception {
        int port = serve(requiringClients(engine));

        assertThatThrownBy(() -> get(port, trusting(authority), protocol)).isInstanceOf(IOException.class);
    }

    @ParameterizedTest
    @CsvSource({"OPENSSL, TLSv1.2", "OPENSSL, TLSv1.3", "JDK, TLSv1.2", "JDK, TLSv1.3"})
    void refusesAClientOfAnotherAuthorityWhereOneIsRequired(TlsEngine engine, String protocol) throws Exception {
        int port = serve(requiringClients(engine));

        SSLContext client = context(keys(Certificates.client(authority)), authority);
        assertThatThrownBy(() -> get(port, client, protocol)).isInstanceOf(IOException.class);
    }

    @Test
    void trustsEveryClientAuthorityOfTheFile() throws Exception {
        CertificateAuthority second = Certificates.authority();
        TlsCertificateReader.TlsFiles pair = Certificates.files(directory, server);
        Path clientCa = Certificates.write(
                directory, "client-ca.crt", clientAuthority.certificatePem() + second.certificatePem());
        TlsCertificateReader.TlsReading reading = TlsCertificateReader.read(
                new TlsCertificateReader.TlsFiles(pair.certificate(), pair.key(), Optional.of(clientCa)),
                TlsEngine.JDK,
                Certificates.NOW);
        int port = serve(usable(reading));

        for (CertificateAuthority each : List.of(clientAuthority, second)) {
            SSLContext client = context(keys(Certificates.client(each)), authority);
            assertThat(get(port, client, "TLSv1.3")).startsWith("HTTP/1.1 200");
        }
    }

    @ParameterizedTest
    @EnumSource
    void servesEveryKeyTypeFromTheOlderKeyFormats(TlsEngine engine) throws Exception {
        for (KeyPair keys : List.of(
                Certificates.keys("EC", new ECGenParameterSpec("secp256r1")),
                Certificates.keys("EC", new ECGenParameterSpec("secp384r1")),
                Certificates.keys("RSA", new RSAKeyGenParameterSpec(2048, RSAKeyGenParameterSpec.F4)))) {
            CertifiedKey pair = Certificates.selfSigned(keys);
            String key = Certificates.traditionalPem(pair.key());
            assertThat(key).doesNotContain("BEGIN PRIVATE KEY");
            TlsCertificateReader.TlsFiles files = Certificates.files(directory, pair.certificatePem(), key);
            int port = serve(usable(TlsCertificateReader.read(files, engine, Certificates.NOW)));

            SSLContext client = context(new KeyManager[0], pair);
            assertThat(get(port, client, "TLSv1.3")).startsWith("HTTP/1.1 200");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aMismatchedPairIsRefusedBeforeItIsServed(TlsEngine engine) throws Exception {
        TlsCertificateReader.TlsFiles files = Certificates.files(
                directory, server.certificatePem(), Certificates.leaf(authority).keyPem());

        assertThat(TlsCertificateReader.read(files, engine, Certificates.NOW))
                .isInstanceOf(TlsCertificateReader.TlsReading.UnusableTls.class);
    }

    private ServerTls requiringClients(TlsEngine engine) {
        return new ServerTls(server, clientAuthority.identity().chain(), engine);
    }

    private static ServerTls usable(TlsCertificateReader.TlsReading reading) {
        return assertThat(reading)
                .asInstanceOf(type(TlsCertificateReader.TlsReading.Usable.class))
                .actual()
                .tls();
    }

    private int serve(ServerTls tls) throws Exception {
        HttpServer listening = vertx.createHttpServer(tls.secure(new HttpServerOptions()))
                .requestHandler(request -> request.response().end("hello"))
                .listen(0, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .get(10, TimeUnit.SECONDS);
        return listening.actualPort();
    }

    private static String get(int port, SSLContext client, String protocol) throws IOException {
        try (SSLSocket socket = connect(port, client, protocol)) {
            socket.startHandshake();
            socket.getOutputStream()
                    .write("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            if (answer.isEmpty()) {
                throw new IOException("closed without an answer");
            }
            return answer;
        }
    }

    private static SSLSocket connect(int port, SSLContext client, String protocol) throws IOException {
        SSLSocket socket = (SSLSocket) client.getSocketFactory().createSocket("localhost", port);
        socket.setSoTimeout(PATIENCE_MILLIS);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setProtocols(new String[] {protocol});
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        socket.setSSLParameters(parameters);
        return socket;
    }

    private static SSLContext trusting(CertificateAuthority trusted) throws Exception {
        return context(new KeyManager[0], trusted);
    }

    private static SSLContext context(KeyManager[] keys, CertificateAuthority trusted) throws Exception {
        return context(keys, trusted.identity());
    }

    private static SSLContext context(KeyManager[] keys, CertifiedKey trusted) throws Exception {
        KeyStore store = emptyStore();
        store.setCertificateEntry("trusted", trusted.certificate());
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys, trust.getTrustManagers(), null);
        return context;
    }

    private static KeyManager[] keys(CertifiedKey pair) throws Exception {
        KeyStore store = emptyStore();
        store.setKeyEntry("own", pair.key(), NO_PASSWORD, pair.chain().toArray(Certificate[]::new));
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, NO_PASSWORD);
        return factory.getKeyManagers();
    }

    private static KeyStore emptyStore() throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }
}
