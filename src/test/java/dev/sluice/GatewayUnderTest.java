package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.app.AssembledGateway;
import dev.sluice.app.CertificateSource;
import dev.sluice.app.ClusterSource;
import dev.sluice.app.SluiceParts;
import dev.sluice.bus.Topic;
import dev.sluice.cli.demo.EmbeddedDemoStage;
import dev.sluice.cli.explain.ExplainPostedManifests;
import dev.sluice.kube.watch.SnapshotFile;
import dev.sluice.reload.ReloadedPolicySource;
import dev.sluice.reload.ReloadedTlsFiles;
import dev.sluice.tls.CertificateAuthority;
import dev.sluice.tls.ClientCertificateNames;
import dev.sluice.tls.ServerCertificateNames;
import dev.sluice.tls.ServerTls;
import dev.sluice.tls.TlsEngine;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerOptions;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;

/** The whole gateway in this JVM, on free ports, with certificates of its own and a cluster that tests set. */
record GatewayUnderTest(AssembledGateway sluice, HttpClient client, int port, int managementPort)
        implements AutoCloseable {

    private static final int MAX_BODY_BYTES = 8 << 20;

    /** One that diagnoses its cluster each second. */
    static GatewayUnderTest diagnosing(ClusterSource source) {
        int port = Ports.free();
        int managementPort = Ports.free();
        CertificateAuthority authority = CertificateAuthority.create(Instant.now(), Duration.ofDays(1));
        SluiceParts parts = parts(authority, port, managementPort, ActivePolicy.DEFAULT, source);
        return new GatewayUnderTest(
                await(AssembledGateway.start(parts.diagnosing(Duration.ofSeconds(1)))),
                trusting(authority),
                port,
                managementPort);
    }

    /** One that has answered so many reviews of its own. */
    static GatewayUnderTest warmedUp(ActivePolicy policy, int reviews) {
        int port = Ports.free();
        int managementPort = Ports.free();
        CertificateAuthority authority = CertificateAuthority.create(Instant.now(), Duration.ofDays(1));
        SluiceParts cold = parts(authority, port, managementPort, policy, new ClusterSource.Embedded());
        SluiceParts parts = new SluiceParts(
                cold.webhook(),
                cold.maxBodyBytes(),
                cold.management(),
                cold.policy(),
                cold.policies(),
                cold.source(),
                cold.clients(),
                cold.certificates(),
                cold.diagnosisPause(),
                cold.nodeSeries(),
                cold.vertxSeries(),
                cold.events(),
                Set.of(),
                reviews,
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
        return new GatewayUnderTest(await(AssembledGateway.start(parts)), trusting(authority), port, managementPort);
    }

    private static SluiceParts parts(
            CertificateAuthority authority, int port, int managementPort, ActivePolicy policy, ClusterSource source) {
        ServerCertificateNames names = new ServerCertificateNames(List.of("localhost"), List.of("127.0.0.1"));
        ServerTls tls = ServerTls.open(authority.issue(names, Instant.now(), Duration.ofDays(1)), TlsEngine.best());
        return new SluiceParts(
                tls.secure(new HttpServerOptions().setHost("127.0.0.1").setPort(port)),
                MAX_BODY_BYTES,
                new HttpServerOptions().setHost("127.0.0.1").setPort(managementPort),
                policy,
                ReloadedPolicySource.FIXED,
                source);
    }

    static GatewayUnderTest start(ActivePolicy policy) {
        return start(policy, ReloadedPolicySource.FIXED);
    }

    static GatewayUnderTest start(ActivePolicy policy, ReloadedPolicySource policies) {
        return start(policy, policies, new ClusterSource.Embedded());
    }

    static GatewayUnderTest start(ActivePolicy policy, ReloadedPolicySource policies, ClusterSource source) {
        CertificateAuthority authority = CertificateAuthority.create(Instant.now(), Duration.ofDays(1));
        ServerCertificateNames names = new ServerCertificateNames(List.of("localhost"), List.of("127.0.0.1"));
        ServerTls tls = ServerTls.open(authority.issue(names, Instant.now(), Duration.ofDays(1)), TlsEngine.best());
        return serving(
                tls, Optional.empty(), ClientCertificateNames.ANY, trusting(authority), policy, policies, source);
    }

    /** One that reads its certificate again, for clients by these names. */
    static GatewayUnderTest start(ReloadedTlsFiles certificates, ClientCertificateNames clients, SSLContext trusting) {
        return serving(
                certificates.first().tls(),
                Optional.of(new CertificateSource.MountedFiles(certificates)),
                clients,
                HttpClient.newBuilder().sslContext(trusting).build(),
                ActivePolicy.DEFAULT,
                ReloadedPolicySource.FIXED,
                new ClusterSource.Embedded());
    }

    private static GatewayUnderTest serving(
            ServerTls tls,
            Optional<CertificateSource> certificates,
            ClientCertificateNames clients,
            HttpClient client,
            ActivePolicy policy,
            ReloadedPolicySource policies,
            ClusterSource source) {
        int port = Ports.free();
        int managementPort = Ports.free();
        SluiceParts parts = new SluiceParts(
                tls.secure(new HttpServerOptions().setHost("127.0.0.1").setPort(port)),
                MAX_BODY_BYTES,
                new HttpServerOptions().setHost("127.0.0.1").setPort(managementPort),
                policy,
                policies,
                source,
                clients,
                certificates,
                Duration.ZERO,
                /* nodeSeries= */ 100,
                /* vertxSeries= */ true,
                /* events= */ false,
                Set.of(),
                /* warmUpReviews= */ 0,
                Optional.empty(),
                Optional.empty(),
                Optional.of(new ExplainPostedManifests()));
        return new GatewayUnderTest(await(AssembledGateway.start(parts)), client, port, managementPort);
    }

    /** The value of a series of the metrics page, such as {@code name{label="value"}}; 0 if there is none. */
    double metric(String series) throws IOException, InterruptedException {
        return page("/metrics")
                .lines()
                .filter(line -> line.startsWith(series + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(series.length() + 1)))
                .sum();
    }

    /** A page of the management port, whatever its status. */
    String page(String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + managementPort + path))
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }

    private static HttpClient trusting(CertificateAuthority authority) {
        return HttpClient.newBuilder()
                .sslContext(EmbeddedDemoStage.trusting(authority.certificatePem()))
                .build();
    }

    static <T> T await(Future<T> future) {
        try {
            return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Every later review is decided by these nodes, pods and LimitRanges. */
    void show(SnapshotFile.SnapshotContents cluster) {
        Topic.LIMIT_RANGES.publish(sluice.vertx(), cluster.limitRanges());
        var _ = await(EmbeddedDemoStage.show(sluice, cluster.nodes(), cluster.pods(), cluster.dra()));
    }

    /** The answer to a review, which must be one. */
    String post(byte[] review) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("https://localhost:" + port + "/mutate"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(review))
                .build();
        HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return response.body();
    }

    @Override
    public void close() {
        client.close();
        var _ = await(sluice.close());
    }
}
