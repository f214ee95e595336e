package dev.sluice.tls.selfmanaged;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.tls.CertificateAuthority;
import dev.sluice.tls.Certificates;
import dev.sluice.tls.CertifiedKey;
import dev.sluice.tls.ServerCertificateNames;
import dev.sluice.tls.ServerTls;
import dev.sluice.tls.TlsEngine;
import dev.sluice.tls.selfmanaged.CaBundleAuthorities.Integrity;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.vertx.core.Vertx;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class RotationLoopTest {

    private static final RotationTimes TIMES = new RotationTimes(Duration.ofHours(1), Duration.ofHours(4));

    private final Vertx vertx = Vertx.vertx();
    private final AtomicReference<Instant> now = new AtomicReference<>(Certificates.NOW);
    private FakeCertificateServer server;
    private KubernetesClient client;

    @TempDir
    private Path directory;

    @BeforeEach
    void start() {
        server = new FakeCertificateServer(vertx);
        client = server.client();
    }

    @AfterEach
    void stop() {
        client.close();
        vertx.close().await();
    }

    private record KeptTls(BlockingQueue<ServerTls> served) implements RotationLoop.Server {
        @Override
        public void serve(ServerTls tls, X509Certificate signer) {
            served.add(tls);
        }

        @Override
        public void report(List<String> problems) {}
    }

    /** Time passes whenever somebody looks, so that nobody has to wait until an authority is trusted. */
    private Instant instant() {
        return now.updateAndGet(before -> before.plusMillis(500));
    }

    private static CertificateAuthority authority() {
        return CertificateAuthority.create(Certificates.NOW, Duration.ofDays(10));
    }

    private static X509Certificate certificate(CertificateAuthority authority) {
        return authority.identity().certificate();
    }

    private static String pem(CertificateAuthority authority) {
        return CertifiedKey.pem(List.of(certificate(authority)));
    }

    @Test
    void aRenewedAuthorityForClientCertificatesIsServed() throws Exception {
        CertificateAuthority former = authority();
        CertificateAuthority renewed = authority();
        Path file = Files.writeString(directory.resolve("client-ca.crt"), pem(former));
        SelfManagedTls source = SelfManagedTls.start(
                new SelfManagedTls.Settings(Set.of(), TIMES, TlsEngine.JDK, Optional.of(file)), client, this::instant);
        assertThat(source.first().tls().clientAuthorities()).containsExactly(certificate(former));
        BlockingQueue<ServerTls> served = new LinkedBlockingQueue<>();
        RotationLoop loop = new RotationLoop(source, new KeptTls(served));
        Thread running = Thread.ofVirtual().start(loop);

        Files.writeString(file, pem(renewed));
        ServerTls next = served.poll(20, TimeUnit.SECONDS);
        loop.stop();
        running.interrupt();
        running.join();

        assertThat(next).isNotNull();
        assertThat(next.clientAuthorities()).containsExactly(certificate(renewed));
        assertThat(next.identity()).isEqualTo(source.first().tls().identity());
    }

    /** What another replica stores is trusted before anything that it signed is shown. */
    @Test
    void aNewAuthorityOfReplicasIsTrustedBesideTheFormerOne() throws Exception {
        SelfManagedTls source = SelfManagedTls.startForPeers(TIMES, TlsEngine.JDK, client, this::instant);
        ServerTls first = source.first().tls();
        assertThat(first.clientAuthorities()).hasSize(1);
        BlockingQueue<ServerTls> served = new LinkedBlockingQueue<>();
        RotationLoop loop = new RotationLoop(source, new KeptTls(served));
        now.updateAndGet(before -> before.plus(Duration.ofMinutes(161)));
        Thread running = Thread.ofVirtual().start(loop);

        ServerTls trusting = served.poll(20, TimeUnit.SECONDS);
        while (trusting != null && trusting.clientAuthorities().size() < 2) {
            trusting = served.poll(20, TimeUnit.SECONDS);
        }
        now.updateAndGet(before -> before.plus(Duration.ofMinutes(2)));
        ServerTls renewed = served.poll(40, TimeUnit.SECONDS);
        loop.stop();
        running.interrupt();
        running.join();

        assertThat(trusting).isNotNull();
        assertThat(trusting.clientAuthorities()).containsAll(first.clientAuthorities());
        assertThat(renewed).isNotNull();
        assertThat(renewed.clientAuthorities()).hasSize(2);
    }

    /** A machine that has just started learns the time from the network. */
    @Test
    void aClockThatIsSetForwardAtTheStartEndsNoWait() throws Exception {
        SelfManagedTls source = SelfManagedTls.start(
                new SelfManagedTls.Settings(Set.of(), TIMES, TlsEngine.JDK, Optional.empty()),
                client,
                () -> now.updateAndGet(before -> before.plusSeconds(55)));

        assertThat(source.first().tls().identity()).isNotNull();
    }

    @Test
    void theLoopWaitsUntilAStepIsDue() throws Exception {
        SelfManagedTls source = SelfManagedTls.start(
                new SelfManagedTls.Settings(Set.of(), TIMES, TlsEngine.JDK, Optional.empty()),
                client,
                () -> Certificates.NOW);

        assertThat(new RotationLoop(source, new KeptTls(new LinkedBlockingQueue<>())).step())
                .isGreaterThan(Duration.ofSeconds(10));
    }

    /** The Secret was lost: what others still show is trusted until they have stored its authority again. */
    @Test
    void anAuthorityThatLeftTheSecretIsTrustedForAWhile() {
        SelfManagedPeerAuthorities authorities = new SelfManagedPeerAuthorities(Duration.ofMinutes(1));
        X509Certificate former = certificate(authority());
        X509Certificate next = certificate(authority());

        authorities.seen(List.of(former), Certificates.NOW);
        authorities.seen(List.of(), Certificates.NOW.plusSeconds(3600));
        assertThat(authorities.trusted()).containsExactly(former);
        authorities.seen(List.of(next), Certificates.NOW.plusSeconds(3660));
        assertThat(authorities.trusted()).containsExactly(next, former);
        authorities.seen(List.of(next), Certificates.NOW.plusSeconds(3661));
        assertThat(authorities.trusted()).containsExactly(next);
    }

    /** The Secret is lost a second time. */
    @Test
    void anAuthorityThatCameBackIsTrustedAsLongAsBeforeWhenItLeavesAgain() {
        SelfManagedPeerAuthorities authorities = new SelfManagedPeerAuthorities(Duration.ofMinutes(1));
        X509Certificate authority = certificate(authority());
        authorities.seen(List.of(authority), Certificates.NOW);
        authorities.seen(List.of(), Certificates.NOW);
        authorities.seen(List.of(authority), Certificates.NOW.plusSeconds(59));
        Instant leavesAgain = Certificates.NOW.plusSeconds(61);

        authorities.seen(List.of(), leavesAgain);
        assertThat(authorities.trusted()).containsExactly(authority);
        authorities.seen(List.of(), leavesAgain.plusSeconds(60));
        assertThat(authorities.trusted()).containsExactly(authority);
        authorities.seen(List.of(), leavesAgain.plusSeconds(61));
        assertThat(authorities.trusted()).isEmpty();
    }

    /** The other replica has done what was due, so nothing is wrong. */
    @Test
    void aReplicaThatWasOutrunLooksAgain() {
        server.outrunEveryWrite();
        Rotator rotator = new Rotator(
                new CertificateStore(client),
                new SelfManagedIssuer(ServerCertificateNames.of(List.of("gpu-webhook.gateways.svc")), TIMES),
                this::instant);

        assertThat(rotator.step(Optional.empty())).isInstanceOf(RotationStepOutcome.LookAgain.class);
    }

    @Test
    void anAuthorityThatLeftTheBundleIsTrustedAgainOnlySinceItCameBack() {
        CaBundleMemory memory = new CaBundleMemory();
        X509Certificate authority = certificate(authority());
        Instant later = Certificates.NOW.plusSeconds(100);

        assertThat(memory.seen(bundle(authority), Certificates.NOW).since()).containsValue(Certificates.NOW);
        assertThat(memory.seen(bundle(), later.minusSeconds(50)).since()).isEmpty();
        assertThat(memory.seen(bundle(authority), later).since()).containsValue(later);
        assertThat(memory.seen(bundle(authority), later.plusSeconds(1)).since()).containsValue(later);
    }

    private static WebhookCaBundle bundle(X509Certificate... authorities) {
        return new WebhookCaBundle("1", List.of(authorities), Integrity.INTACT, List.of());
    }
}
