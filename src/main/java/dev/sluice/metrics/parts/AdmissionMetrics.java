package dev.sluice.metrics.parts;

import com.codahale.metrics.Counter;
import dev.sluice.kube.decode.AdmissionReview;
import dev.sluice.metrics.LatencyHistogram;
import dev.sluice.metrics.MetricFamilies;
import dev.sluice.metrics.MetricName;
import dev.sluice.record.observe.ObservedForwardResult;
import dev.sluice.record.observe.ReviewObserver;
import dev.sluice.webhook.intake.ClientHandshakeFailure;
import io.vertx.core.Vertx;
import java.util.List;

/**
 * Counts the requests that this replica answers or forwards without a decision of its own. One instance counts for one
 * gateway verticle, or for the threads that handle large reviews. It is thread-safe.
 */
public record AdmissionMetrics(String part, MetricFamilies families, LatencyHistogram forwarding)
        implements PartMetrics, ReviewObserver {

    private static final List<Integer> STATUSES = List.of(400, 403, 404, 405, 408, 413, 415, 431, 503);

    public AdmissionMetrics(String part) {
        this(part, new MetricFamilies(), new LatencyHistogram());
    }

    public AdmissionMetrics {
        for (MetricName name : List.of(MetricName.PASSED, MetricName.FAULTS)) {
            var _ = families.counter(name);
        }
        families.show(MetricName.FORWARD_DURATION, forwarding);
        for (ObservedForwardResult result : ObservedForwardResult.values()) {
            var _ = forwards(families, result);
        }
        for (int status : STATUSES) {
            var _ = refusals(families, status);
        }
        for (ClientHandshakeFailure failure : ClientHandshakeFailure.values()) {
            var _ = handshakeFailures(families, failure);
        }
    }

    /** Does nothing, because the gateway calls the methods of this class directly. */
    @Override
    public void listen(Vertx vertx) {}

    @Override
    public void passed(AdmissionReview review) {
        families.counter(MetricName.PASSED).inc();
    }

    @Override
    public void refused(int status, String sentence) {
        refusals(families, status).inc();
    }

    @Override
    public void handshakeFailed(ClientHandshakeFailure failure) {
        handshakeFailures(families, failure).inc();
    }

    @Override
    public void forwarded(ObservedForwardResult result, long nanos) {
        forwards(families, result).inc();
        if (result == ObservedForwardResult.ANSWERED) {
            forwarding.add(nanos);
        }
    }

    @Override
    public void failed(String uid, Throwable fault) {
        families.counter(MetricName.FAULTS).inc();
    }

    private static Counter refusals(MetricFamilies families, int status) {
        return families.counter(MetricName.REFUSED, "status", Integer.toString(status));
    }

    private static Counter forwards(MetricFamilies families, ObservedForwardResult result) {
        return families.counter(MetricName.FORWARDED, "result", result.word());
    }

    private static Counter handshakeFailures(MetricFamilies families, ClientHandshakeFailure failure) {
        return families.counter(MetricName.HANDSHAKE_FAILURES, "cause", failure.word());
    }
}
