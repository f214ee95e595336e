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
import java.util.function.Function;

/** Shows the served certificate, and counts the changes of its files. It is not thread-safe. */
public final class CertificateMetrics implements PartMetrics {

    private static final String CERTIFICATE = "certificate";

    private final MetricFamilies families = new MetricFamilies();
    private Optional<ActiveTlsMessage> served;
    private long filesRefused;

    /** Creates the metrics. {@code first} is the certificate that is served at the start, if it is known. */
    public CertificateMetrics(Optional<ActiveTlsMessage> first) {
        this.served = first;
        moment(MetricName.CERTIFICATE_NOT_AFTER, ActiveTlsMessage::notAfter, CERTIFICATE, "served");
        moment(
                MetricName.CERTIFICATE_NOT_AFTER,
                active -> active.authoritiesNotAfter().orElse(Instant.MIN),
                CERTIFICATE,
                "authority");
        moment(MetricName.CERTIFICATE_READ, ActiveTlsMessage::readAt);
        families.show(MetricName.CERTIFICATE_FILES_REFUSED, () -> filesRefused);
        for (TlsReloadMessage.ReloadResult result : TlsReloadMessage.ReloadResult.values()) {
            var _ = reloads(result);
        }
    }

    private void moment(MetricName name, Function<ActiveTlsMessage, Instant> moment, String... labels) {
        families.moment(name, () -> served.map(moment).orElse(Instant.MIN), labels);
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
