package dev.sluice.cli.demo;

import dev.sluice.app.AssembledGateway;
import dev.sluice.bus.Topic;
import dev.sluice.cluster.ClusterEvent;
import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.cluster.ClusterStateException;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.NodeEvent;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.PodEvent;
import dev.sluice.cluster.dra.DraState;
import dev.sluice.kube.watch.SnapshotFile;
import dev.sluice.ledger.Ledger;
import io.vertx.core.Future;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ExecutionException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A gateway in this process with its own certificate authority. Requests reach it over TCP and TLS, like those of the
 * API server.
 */
public final class EmbeddedDemoStage implements DemoStage {

    private final AssembledGateway sluice;
    private final URI mutate;
    private final HttpClient client;

    EmbeddedDemoStage(AssembledGateway sluice, URI webhook, String authorityPem) {
        this.sluice = sluice;
        this.mutate = webhook.resolve("/mutate");
        this.client = HttpClient.newBuilder().sslContext(trusting(authorityPem)).build();
    }

    public static SSLContext trusting(String authorityPem) {
        try {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            store.setCertificateEntry(
                    "authority",
                    CertificateFactory.getInstance("X.509")
                            .generateCertificate(
                                    new ByteArrayInputStream(authorityPem.getBytes(StandardCharsets.US_ASCII))));
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException impossible) {
            throw new IllegalStateException("a certificate just made cannot be trusted", impossible);
        }
    }

    @Override
    public ClusterSnapshot showCluster(Path file) throws IOException, InterruptedException, ClusterStateException {
        SnapshotFile.SnapshotContents cluster = SnapshotFile.read(file);
        try {
            var _ = show(sluice, cluster.nodes(), cluster.pods(), cluster.dra())
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get();
        } catch (ExecutionException e) {
            throw new IOException("the gateway did not take the cluster over", e);
        }
        return Ledger.snapshotOf(cluster.nodes());
    }

    @Override
    public Reply review(byte[] review) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(mutate)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(review))
                .build();
        HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
        return new Reply(response.statusCode(), response.body());
    }

    /**
     * Replaces the cluster. Decisions about the former cluster are not counted as reservations. The future succeeds
     * when the gateway uses the new cluster for every further review.
     */
    public static Future<?> show(AssembledGateway gateway, List<Node> nodes, List<Pod> pods, DraState dra) {
        Topic.DRA.publish(gateway.vertx(), dra);
        publish(gateway, new NodeEvent.NodesListed(nodes, 0));
        publish(gateway, new PodEvent.ListBegun());
        publish(gateway, new PodEvent.PodsPage(pods));
        publish(gateway, new PodEvent.ListEnded(0, Instant.now().plus(Ledger.LONGEST_CREATE)));
        // The event bus needs three rounds: one for the events to reach the ledger, one for the ledger to publish its
        // snapshot, and one for the snapshot to arrive.
        return gateway.settled().compose(_ -> gateway.settled()).compose(_ -> gateway.settled());
    }

    private static void publish(AssembledGateway gateway, ClusterEvent event) {
        Topic.CLUSTER_EVENTS.publish(gateway.vertx(), event);
    }
}
