package dev.sluice.app;

import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.management.ManagementManifestExplainer;
import dev.sluice.peers.PeerPortSettings;
import dev.sluice.reload.ReloadedPolicySource;
import dev.sluice.tls.ClientCertificateNames;
import io.vertx.core.http.HttpServerOptions;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * The settings from which a gateway is composed.
 *
 * @param webhook the host, port and TLS options of the webhook
 * @param maxBodyBytes the largest body of a review in bytes
 * @param management the host, port and TLS options of the management server; with TLS, the API server decides who may
 *     read
 * @param policy the policy at the start
 * @param policies the files from which the policy is read again
 * @param source the source of the cluster's state
 * @param clients the accepted names in client certificates
 * @param certificates the source of new certificates; empty if the certificate never changes
 * @param diagnosisPause the pause between two diagnoses of the cluster; zero for no diagnosis
 * @param nodeSeries the maximum number of nodes with devices for which the metrics contain series of their own
 * @param vertxSeries true if the metrics include the series of Vert.x
 * @param events true if Kubernetes Events about decisions are written
 * @param names additional host names by which clients may call the management server
 * @param warmUpReviews the number of reviews that the warm-up sends before the gateway is ready
 * @param peers the port on which replicas share their reservations; empty if this gateway shares none
 * @param peerCertificates the source of new certificates for the port of {@code peers}; empty if the certificate of
 *     this port never changes
 * @param explainer the object that explains manifests for the management server; empty if this gateway explains none
 */
public record SluiceParts(
        HttpServerOptions webhook,
        int maxBodyBytes,
        HttpServerOptions management,
        ActivePolicy policy,
        ReloadedPolicySource policies,
        ClusterSource source,
        ClientCertificateNames clients,
        Optional<CertificateSource> certificates,
        Duration diagnosisPause,
        int nodeSeries,
        boolean vertxSeries,
        boolean events,
        Set<String> names,
        int warmUpReviews,
        Optional<PeerPortSettings> peers,
        Optional<CertificateSource> peerCertificates,
        Optional<ManagementManifestExplainer> explainer) {

    public SluiceParts {
        names = Set.copyOf(names);
    }

    /** Creates settings that accept every client whose certificate TLS accepts. */
    public SluiceParts(
            HttpServerOptions webhook,
            int maxBodyBytes,
            HttpServerOptions management,
            ActivePolicy policy,
            ReloadedPolicySource policies,
            ClusterSource source) {
        this(
                webhook,
                maxBodyBytes,
                management,
                policy,
                policies,
                source,
                ClientCertificateNames.ANY,
                Optional.empty(),
                Duration.ZERO,
                /* nodeSeries= */ 100,
                /* vertxSeries= */ false,
                /* events= */ false,
                Set.of(),
                /* warmUpReviews= */ 0,
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    /** Returns the same settings with this pause between two diagnoses. */
    public SluiceParts diagnosing(Duration pause) {
        return with(pause, explainer);
    }

    /** Returns the same settings with an explainer of manifests. */
    public SluiceParts explainedBy(ManagementManifestExplainer newExplainer) {
        return with(diagnosisPause, Optional.of(newExplainer));
    }

    private SluiceParts with(Duration pause, Optional<ManagementManifestExplainer> newExplainer) {
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
                names,
                warmUpReviews,
                peers,
                peerCertificates,
                newExplainer);
    }
}
