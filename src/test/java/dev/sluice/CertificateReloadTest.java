package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.tls.CertificateAuthority;
import dev.sluice.tls.Certificates;
import dev.sluice.tls.CertifiedKey;
import dev.sluice.tls.ClientCertificateNames;
import dev.sluice.tls.TlsEngine;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Rotations of a mounted pair while clients ask over new and over kept connections. {@code -Dtls.rotations=1000} runs
 * the long version.
 */
class CertificateReloadTest {

    private static final int ROTATIONS = Integer.getInteger("tls.rotations", 50);
    private static final byte[] REQUEST =
            "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    @TempDir
    private Path directory;

    private final CertificateAuthority one = Certificates.authority();
    private final CertificateAuthority other = Certificates.authority();

    /** What a client has seen at its end. */
    private record Seen(int requests, List<String> failures) {}

    private interface Asker {
        void ask() throws Exception;
    }

    @ParameterizedTest
    @EnumSource
    void noRequestFailsWhileThePairIsRotated(TlsEngine engine) throws Exception {
        TlsMount mount = TlsMount.of(directory, TlsMount.secret(one, TlsMount.leaf(one)));
        SSLContext client = TlsMount.client(null, one, other);
        AtomicBoolean done = new AtomicBoolean();
        try (GatewayUnderTest gateway =
                        GatewayUnderTest.start(mount.source(engine), ClientCertificateNames.ANY, client);
                ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor();
                SSLSocket kept = connect(client, gateway.port())) {
            List<Future<Seen>> clients = new ArrayList<>();
            clients.add(pool.submit(() -> until(done, () -> ask(kept))));
            for (int i = 0; i < 2; i++) {
                clients.add(pool.submit(() -> until(done, () -> {
                    try (SSLSocket fresh = connect(client, gateway.port())) {
                        ask(fresh);
                    }
                })));
            }
            try {
                for (int i = 0; i < ROTATIONS; i++) {
                    CertificateAuthority authority = i % 2 == 0 ? other : one;
                    CertifiedKey pair = i % 3 == 0 ? Certificates.rsaLeaf(authority) : TlsMount.leaf(authority);
                    mount.swap(TlsMount.secret(authority, pair));
                    awaitServed(client, gateway, pair.certificate());
                }
            } finally {
                done.set(true);
            }
            for (Future<Seen> seen : clients) {
                assertThat(seen.get().failures()).isEmpty();
                assertThat(seen.get().requests()).isGreaterThan(ROTATIONS);
            }
            assertThat(gateway.metric("gpu_webhook_certificate_reloads_total{result=\"served\"}"))
                    .isEqualTo(ROTATIONS);
            assertThat(gateway.metric("gpu_webhook_faults_total")).isZero();
            assertThat(gateway.metric("gpu_webhook_certificate_reloads_total{result=\"refused\"}"))
                    .isZero();
        }
    }

    private static Seen until(AtomicBoolean done, Asker asker) {
        List<String> failures = new ArrayList<>();
        int requests = 0;
        while (!done.get()) {
            try {
                asker.ask();
                requests++;
                Thread.sleep(2);
            } catch (Exception failed) {
                failures.add(failed.toString());
            }
        }
        return new Seen(requests, failures);
    }

    private static SSLSocket connect(SSLContext client, int port) throws Exception {
        SSLSocket socket = (SSLSocket) client.getSocketFactory().createSocket("localhost", port);
        socket.setSoTimeout(10_000);
        socket.startHandshake();
        return socket;
    }

    private static void ask(SSLSocket socket) throws Exception {
        socket.getOutputStream().write(REQUEST);
        socket.getOutputStream().flush();
        byte[] answer = new byte[1024];
        String text = "";
        while (!text.endsWith("\r\n\r\nok\n") && !text.endsWith("\r\n\r\nok")) {
            int read = socket.getInputStream().read(answer);
            assertThat(read).as("the connection ends after: " + text).isPositive();
            text += new String(answer, 0, read, StandardCharsets.US_ASCII);
        }
        assertThat(text).startsWith("HTTP/1.1 200 ");
    }

    static void awaitServed(SSLContext client, GatewayUnderTest gateway, X509Certificate expected) throws Exception {
        long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (!TlsMount.served(client, gateway.port()).equals(expected)) {
            assertThat(System.nanoTime())
                    .as("the new certificate is not served")
                    .isLessThan(end);
            Thread.sleep(5);
        }
    }
}
