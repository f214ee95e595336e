package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.tls.CertificateAuthority;
import dev.sluice.tls.Certificates;
import dev.sluice.tls.CertifiedKey;
import dev.sluice.tls.ClientCertificateNames;
import dev.sluice.tls.ServerCertificateNames;
import dev.sluice.tls.TlsEngine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The authorities of clients change with the pair, and the certificate is asked for all the time. */
class ClientAuthorityReloadTest {

    private static final int ROTATIONS = Integer.getInteger("tls.rotations", 50) / 2;
    private static final String CALLER = "gpu-webhook-caller";
    /** The head of a request whose body never comes. */
    private static final String HEAD = String.join(
            "\r\n",
            "POST /mutate HTTP/1.1",
            "Host: localhost",
            "Content-Type: application/json",
            "Content-Length: 9000",
            "",
            "");

    @TempDir
    private Path directory;

    private final CertificateAuthority servers = Certificates.authority();
    private final CertificateAuthority clients = Certificates.authority();
    private final CertificateAuthority later = Certificates.authority();
    private final CertifiedKey caller = client(clients, CALLER);

    private static CertifiedKey client(CertificateAuthority authority, String name) {
        return authority.issueForClient(
                new ServerCertificateNames(List.of(name), List.of()), Certificates.NOW, Duration.ofDays(1));
    }

    private Map<String, String> files(CertifiedKey pair, String clientAuthorities) {
        Map<String, String> files = new HashMap<>(TlsMount.secret(servers, pair));
        files.put("client-ca.crt", clientAuthorities);
        return files;
    }

    private GatewayUnderTest start(TlsMount mount, TlsEngine engine) throws Exception {
        return GatewayUnderTest.start(
                mount.source(engine), new ClientCertificateNames(Set.of(CALLER)), TlsMount.client(caller, servers));
    }

    /** The status of an answer to a request whose body never comes, or 0 if there is none. */
    private static int ask(SSLContext client, int port) {
        try (SSLSocket socket = (SSLSocket) client.getSocketFactory().createSocket("localhost", port)) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(HEAD.getBytes(StandardCharsets.US_ASCII));
            byte[] begin = socket.getInputStream().readNBytes("HTTP/1.1 200".length());
            return begin.length == 0
                    ? 0
                    : Integer.parseInt(new String(begin, StandardCharsets.US_ASCII).substring("HTTP/1.1 ".length()));
        } catch (IOException refused) {
            return 0;
        }
    }

    private static boolean isServed(SSLContext client, int port) {
        try (SSLSocket socket = (SSLSocket) client.getSocketFactory().createSocket("localhost", port)) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream()
                    .write(String.join("\r\n", "GET /healthz HTTP/1.1", "Host: localhost", "", "")
                            .getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII).endsWith("200");
        } catch (IOException refused) {
            return false;
        }
    }

    @ParameterizedTest
    @EnumSource
    void noRotationLetsAnybodyInWithoutACertificate(TlsEngine engine) throws Exception {
        String authorities = clients.certificatePem();
        TlsMount mount = TlsMount.of(directory, files(Certificates.leaf(servers), authorities));
        SSLContext nobody = TlsMount.client(null, servers);
        SSLContext stranger = TlsMount.client(client(Certificates.authority(), CALLER), servers);
        SSLContext somebodyElse = TlsMount.client(client(clients, "kubelet"), servers);
        SSLContext known = TlsMount.client(caller, servers);
        AtomicBoolean done = new AtomicBoolean();
        try (GatewayUnderTest gateway = start(mount, engine);
                ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Set<Integer>>> intruders = new ArrayList<>();
            for (SSLContext client : List.of(nobody, stranger, somebodyElse)) {
                intruders.add(pool.submit(() -> statuses(done, client, gateway.port())));
            }
            try {
                for (int i = 0; i < ROTATIONS; i++) {
                    CertifiedKey pair = Certificates.leaf(servers);
                    authorities =
                            i % 2 == 0 ? clients.certificatePem() + later.certificatePem() : clients.certificatePem();
                    mount.swap(files(pair, authorities));
                    CertificateReloadTest.awaitServed(known, gateway, pair.certificate());
                    assertThat(isServed(known, gateway.port())).isTrue();
                }
            } finally {
                done.set(true);
            }
            assertThat(intruders.get(0).get()).as("without a certificate").containsOnly(0);
            assertThat(intruders.get(1).get()).as("of another authority").containsOnly(0);
            assertThat(intruders.get(2).get()).as("for somebody else").containsOnly(403);
            assertThat(gateway.metric("gpu_webhook_handshake_failures_total{cause=\"no_client_certificate\"}"))
                    .isPositive();
            assertThat(gateway.metric("gpu_webhook_handshake_failures_total{cause=\"bad_client_certificate\"}"))
                    .isPositive();
        }
    }

    private static Set<Integer> statuses(AtomicBoolean done, SSLContext client, int port) throws InterruptedException {
        Set<Integer> statuses = new HashSet<>();
        while (!done.get()) {
            statuses.add(ask(client, port));
            Thread.sleep(2);
        }
        return statuses;
    }

    @ParameterizedTest
    @EnumSource
    void aRemovedAuthorityIsRefusedAndABrokenFileChangesNothing(TlsEngine engine) throws Exception {
        TlsMount mount = TlsMount.of(directory, files(Certificates.leaf(servers), clients.certificatePem()));
        SSLContext known = TlsMount.client(caller, servers);
        SSLContext newCaller = TlsMount.client(client(later, CALLER), servers);
        try (GatewayUnderTest gateway = start(mount, engine)) {
            assertThat(isServed(known, gateway.port())).isTrue();
            CertifiedKey second = Certificates.leaf(servers);
            mount.swap(files(second, ""));
            await(gateway, "gpu_webhook_certificate_files_refused", 1);
            assertThat(isServed(known, gateway.port())).isTrue();
            assertThat(isServed(TlsMount.client(null, servers), gateway.port())).isFalse();

            mount.swap(files(second, later.certificatePem()));
            await(gateway, "gpu_webhook_certificate_files_refused", 0);
            // The same context: a session that it could resume must not help it.
            assertThat(isServed(known, gateway.port())).isFalse();
            assertThat(isServed(newCaller, gateway.port())).isTrue();
        }
    }

    private static void await(GatewayUnderTest gateway, String name, double value) throws Exception {
        long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (gateway.metric(name) != value) {
            assertThat(System.nanoTime()).as(name + " is " + value).isLessThan(end);
            Thread.sleep(5);
        }
    }
}
