package dev.sluice.metrics.parts;

import com.codahale.metrics.Counter;
import dev.sluice.bus.ActiveTlsMessage;
import dev.sluice.bus.TlsReloadMessage;
import dev.sluice.bus.Topic;
import dev.sluice.metrics.MetricFamilies;
import dev.sluice.metrics.MetricName;
import io.vertx.core.Vertx;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Shows when the certificate of the webhook expires, and when the certificate for connections to other replicas
 * expires. Also counts the reloads of the webhook's certificate. This class is not thread-safe.
 */
final class CertificateMetrics implements PartMetrics {

    private final MetricFamilies families = new MetricFamilies();
    private Optional<ActiveTlsMessage> served;
    /** The certificate with which this replica identifies itself to other replicas; empty if there is none. */
    private Optional<ActiveTlsMessage> peers = Optional.empty();

    private long filesRefused;

    /**
     * Creates the metrics. {@code first} is the certificate that is served at the start; empty if it is not known yet.
     */
    CertificateMetrics(Optional<ActiveTlsMessage> first) {
        this.served = first;
        showEnds("served", "authority", () -> served);
        showEnds("peers", "peers_authority", () -> peers);
        families.moment(
                MetricName.CERTIFICATE_READ,
                () -> served.map(ActiveTlsMessage::readAt).orElse(Instant.MIN));
        families.show(MetricName.CERTIFICATE_FILES_REFUSED, () -> filesRefused);
        for (TlsReloadMessage.ReloadResult result : TlsReloadMessage.ReloadResult.values()) {
            var _ = reloads(result);
        }
    }

    /**
     * Adds two gauges: the time when the certificate expires, and the earliest time when one of its authorities
     * expires.
     */
    private void showEnds(String certificate, String authority, Supplier<Optional<ActiveTlsMessage>> active) {
        showEnd(certificate, () -> active.get().map(ActiveTlsMessage::notAfter));
        showEnd(authority, () -> active.get().flatMap(ActiveTlsMessage::authoritiesNotAfter));
    }

    private void showEnd(String certificate, Supplier<Optional<Instant>> end) {
        families.moment(
                MetricName.CERTIFICATE_NOT_AFTER, () -> end.get().orElse(Instant.MIN), "certificate", certificate);
    }

    @Override
    public String part() {
        return "certificates";
    }

    @Override
    public MetricFamilies families() {
        return families;
    }

    @Override
    public void listen(Vertx vertx) {
        Topic.TLS_ACTIVE.subscribe(vertx, newest -> served = Optional.of(newest));
        Topic.PEER_TLS_ACTIVE.subscribe(vertx, newest -> peers = Optional.of(newest));
        Topic.TLS_RELOADS.subscribe(vertx, this::reload);
    }

    private void reload(TlsReloadMessage reload) {
        reloads(reload.result()).inc();
        filesRefused = reload.problems().isEmpty() ? 0 : 1;
    }

    private Counter reloads(TlsReloadMessage.ReloadResult result) {
        return families.counter(MetricName.CERTIFICATE_RELOADS, "result", result.word());
    }
}
