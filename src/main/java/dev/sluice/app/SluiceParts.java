package dev.sluice.app;

import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.reload.PolicySource;
import dev.sluice.tls.ClientNames;
import io.vertx.core.http.HttpServerOptions;
import java.time.Duration;
import java.util.Optional;

/**
 * The parts of a gateway.
 *
 * @param webhook host, port and TLS
 * @param management host and port; with TLS, the source of the cluster is asked who may read
 * @param policy the first policy
 * @param policies the files from which the policy is read again
 * @param source of the cluster's state
 * @param clients the clients that are served, of those that TLS lets in
 * @param certificates where a new certificate comes from, if that may happen
 * @param diagnosisPause between two diagnoses of the cluster; zero for none
 * @param nodeSeries the maximum number of nodes with devices that have series of their own in the metrics
 * @param vertxSeries whether the metrics have the series of Vert.x
 * @param events whether Kubernetes Events tell what was decided
 * @param warmUpReviews how many reviews of its own the gateway answers before it is ready
 */
public record SluiceParts(
        HttpServerOptions webhook,
        int maxBodyBytes,
        HttpServerOptions management,
        ActivePolicy policy,
        PolicySource policies,
        ClusterSource source,
        ClientNames clients,
        Optional<CertificateSource> certificates,
        Duration diagnosisPause,
        int nodeSeries,
        boolean vertxSeries,
        boolean events,
        int warmUpReviews) {

    /** The parts of a gateway that serves every client that TLS lets in. */
    public SluiceParts(
            HttpServerOptions webhook,
            int maxBodyBytes,
            HttpServerOptions management,
            ActivePolicy policy,
            PolicySource policies,
            ClusterSource source) {
        this(
                webhook,
                maxBodyBytes,
                management,
                policy,
                policies,
                source,
                ClientNames.ANY,
                Optional.empty(),
                Duration.ZERO,
                /* nodeSeries= */ 100,
                /* vertxSeries= */ false,
                /* events= */ false,
                /* warmUpReviews= */ 0);
    }

    /** The same parts with a diagnosis after each such pause. */
    public SluiceParts diagnosing(Duration pause) {
        return new SluiceParts(
                webhook,
                maxBodyBytes,
                management,
                policy,
                policies,
                source,
                clients,
                certificates,
                pause,
                nodeSeries,
                vertxSeries,
                events,
                warmUpReviews);
    }
}
