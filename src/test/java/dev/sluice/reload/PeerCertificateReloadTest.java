package dev.sluice.reload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.bus.ActiveTlsMessage;
import dev.sluice.bus.Service;
import dev.sluice.bus.Topic;
import dev.sluice.tls.CertificateAuthority;
import dev.sluice.tls.Certificates;
import dev.sluice.tls.CertifiedKey;
import dev.sluice.tls.ServerTls;
import dev.sluice.tls.TlsCertificateReader;
import dev.sluice.tls.TlsCertificateReader.TlsFiles;
import dev.sluice.tls.TlsCertificateReader.TlsReading;
import dev.sluice.tls.TlsEngine;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The three files by which replicas know each other change, one authority after the other. */
@Timeout(60)
class PeerCertificateReloadTest {

    @TempDir
    private Path directory;

    private final Vertx vertx = Vertx.vertx();
    private final CertificateAuthority former = Certificates.authority();
    private final CertificateAuthority next = Certificates.authority();

    @AfterEach
    void stop() {
        vertx.close().await();
    }

    @Test
    void whatReplicasShowAndTrustIsReplacedWithoutARestart() throws Exception {
        Topic.install(vertx);
        BlockingQueue<ServerTls> served = new LinkedBlockingQueue<>();
        Service.PEER_TLS.serve(vertx, tls -> {
            served.add(tls);
            return Future.succeededFuture(true);
        });
        BlockingQueue<Object> ofWebhook = new LinkedBlockingQueue<>();
        Topic.TLS_ACTIVE.subscribe(vertx, ofWebhook::add);
        BlockingQueue<ActiveTlsMessage> ofPeers = new LinkedBlockingQueue<>();
        Topic.PEER_TLS_ACTIVE.subscribe(vertx, ofPeers::add);
        CertifiedKey first = pair(former);
        TlsFiles files = write(first, former);
        TlsReading.Usable reading = (TlsReading.Usable) TlsCertificateReader.read(files, TlsEngine.JDK, Instant.now());
        vertx.deployVerticle(new CertificateVerticle(
                        ReloadedTlsFiles.of(files, reading.tls(), Instant.now()), InstantSource.system()))
                .await();

        var _ = write(first, former, next);
        assertThat(next(served)).isEqualTo(new ServerTls(first, certificates(former, next), TlsEngine.JDK));
        CertifiedKey second = pair(next);
        var _ = write(second, former, next);
        assertThat(next(served)).isEqualTo(new ServerTls(second, certificates(former, next), TlsEngine.JDK));
        // Nobody trusts a certificate of the former authority any more, so this pair is refused.
        var _ = write(pair(former), next);
        var _ = write(second, next);
        assertThat(next(served)).isEqualTo(new ServerTls(second, certificates(next), TlsEngine.JDK));
        assertThat(ofWebhook).isEmpty();
        assertThat(ofPeers)
                .element(1)
                .satisfies(active -> assertThat(active.authoritiesNotAfter())
                        .hasValue(certificates(next).getFirst().getNotAfter().toInstant()));
    }

    private static ServerTls next(BlockingQueue<ServerTls> served) throws InterruptedException {
        ServerTls tls = served.poll(30, TimeUnit.SECONDS);
        assertThat(tls).as("the certificate that is shown").isNotNull();
        return tls;
    }

    private static CertifiedKey pair(CertificateAuthority authority) {
        return authority.issueForPeers(Certificates.NOW, Duration.ofDays(5));
    }

    private static List<X509Certificate> certificates(CertificateAuthority... authorities) {
        return List.of(authorities).stream()
                .map(authority -> authority.identity().certificate())
                .toList();
    }

    private TlsFiles write(CertifiedKey pair, CertificateAuthority... trusted) throws Exception {
        return TlsFiles.ofPeers(
                moved("peers-tls.crt", pair.certificatePem()),
                moved("peers-tls.key", pair.keyPem()),
                moved("peers-ca.crt", CertifiedKey.pem(certificates(trusted))));
    }

    private Path moved(String name, String text) throws Exception {
        Path beside = Files.writeString(directory.resolve(name + ".new"), text);
        return Files.move(beside, directory.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    }
}
