package dev.sluice.metrics.parts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.bus.ActiveTlsMessage;
import dev.sluice.bus.Topic;
import dev.sluice.metrics.ScrapeFormat;
import dev.sluice.tls.CertificateAuthority;
import dev.sluice.tls.ServerTls;
import dev.sluice.tls.TlsEngine;
import io.vertx.core.Vertx;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When certificates expire, as the metrics show it. */
class CertificateMetricsTest {

    private static final Instant NOW = Instant.parse("2026-11-27T00:00:00Z");
    private final Vertx vertx = Vertx.vertx();
    private final CertificateMetrics metrics = new CertificateMetrics(Optional.empty());

    @BeforeEach
    void listen() {
        Topic.install(vertx);
        metrics.listen(vertx);
    }

    @AfterEach
    void stop() {
        vertx.close().await();
    }

    @Test
    void theCertificateForOtherReplicasIsShownBesideTheServedOne() throws Exception {
        assertThat(value("peers")).isZero();
        assertThat(value("peers_authority")).isZero();

        CertificateAuthority authority = CertificateAuthority.create(NOW, Duration.ofDays(9));
        CountDownLatch seen = new CountDownLatch(1);
        Topic.PEER_TLS_ACTIVE.subscribe(vertx, _ -> seen.countDown());
        Topic.PEER_TLS_ACTIVE.publish(
                vertx,
                ActiveTlsMessage.first(
                        ServerTls.open(authority.issueForPeers(NOW, Duration.ofDays(5)), TlsEngine.JDK),
                        List.of(authority.identity().certificate()),
                        NOW));

        assertThat(seen.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(value("peers")).isEqualTo(NOW.plus(Duration.ofDays(5)).getEpochSecond());
        assertThat(value("peers_authority"))
                .isEqualTo(NOW.plus(Duration.ofDays(9)).getEpochSecond());
        assertThat(value("served")).isZero();
    }

    private long value(String certificate) {
        String series = "gpu_webhook_certificate_not_after_timestamp_seconds{certificate=\"" + certificate + "\"} ";
        return new String(ScrapeFormat.PROMETHEUS.of(metrics.families().numbers()), StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.startsWith(series))
                .mapToLong(line -> new BigDecimal(line.substring(series.length())).longValueExact())
                .sum();
    }
}
