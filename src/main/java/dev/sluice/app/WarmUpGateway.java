package dev.sluice.app;

import dev.sluice.bus.BusMessageQueue;
import dev.sluice.bus.FreshnessMessage;
import dev.sluice.bus.Topic;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.NodeEvent;
import dev.sluice.cluster.PodEvent;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.lease.DecisionVerticle;
import dev.sluice.log.DiscardedLog;
import dev.sluice.metrics.parts.RecordMetrics;
import dev.sluice.record.ReviewRecord;
import dev.sluice.record.observe.DecisionLog;
import dev.sluice.record.observe.ReviewObserver;
import dev.sluice.record.observe.ReviewObservers;
import dev.sluice.tls.ClientCertificateNames;
import dev.sluice.webhook.GatewayAdmissions;
import dev.sluice.webhook.GatewayDecisionRouter;
import dev.sluice.webhook.GatewayForwardRetries;
import dev.sluice.webhook.GatewayVerticle;
import dev.sluice.webhook.GatewayVerticleSettings;
import dev.sluice.webhook.ReviewWorkers;
import dev.sluice.webhook.intake.BodyPiecePool;
import dev.sluice.webhook.intake.ClientAbuseCounter;
import dev.sluice.webhook.intake.ConnectionLimits;
import dev.sluice.webhook.intake.Connections;
import dev.sluice.webhook.intake.GuardedTransport;
import dev.sluice.webhook.intake.IntakeSharedLimits;
import dev.sluice.webhook.intake.MemoryBudget;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The gateway of the warm-up. It runs the same code with the same TLS options and policy as the real gateway, but with
 * an artificial cluster. It requires no client certificate, so other processes on this machine can connect to it for
 * about a second. For that reason it accepts only few connections and small bodies.
 */
final class WarmUpGateway implements WarmUpTarget {

    private static final int ANY_FREE_PORT = 0;
    private static final int MOST_BODY_BYTES = 16 * 1024;
    private static final ConnectionLimits FEW = new ConnectionLimits(4, 4, 4, 4, 4, Duration.ZERO);
    private static final ReviewObserver NOBODY = new ReviewObservers(List.of());

    /** The capacity of each resource in the artificial cluster. It is more than all reviews of the warm-up request. */
    private static final long ENOUGH = 1_000_000_000;

    /** The longest time that the end of the warm-up waits for its log lines. */
    private static final Duration LAST_LINES = Duration.ofSeconds(1);

    private final SluiceParts parts;
    private final IntakeSharedLimits intake;
    private volatile @Nullable BusMessageQueue<ReviewRecord> logged;

    WarmUpGateway(SluiceParts parts) {
        ClientAbuseCounter abuse = new ClientAbuseCounter();
        this.parts = parts;
        this.intake = new IntakeSharedLimits(
                new Connections(FEW, abuse),
                MemoryBudget.of(64L * MOST_BODY_BYTES, MOST_BODY_BYTES, abuse),
                new BodyPiecePool(),
                abuse);
    }

    @Override
    public Vertx open() {
        Vertx stage = Vertx.builder()
                .with(new VertxOptions()
                        .setEventLoopPoolSize(1)
                        .setWorkerPoolSize(1)
                        .setInternalBlockingPoolSize(1))
                .withTransport(GuardedTransport.of(Map.of(ANY_FREE_PORT, intake.connections())))
                .build();
        Topic.install(stage);
        logged = new DecisionLog(DiscardedLog.open()).listen(stage);
        new RecordMetrics(parts.policy()).listen(stage);
        return stage;
    }

    @Override
    public Future<HttpClientOptions> listen(Vertx stage) {
        HttpServerOptions server = new HttpServerOptions(parts.webhook())
                .setHost("127.0.0.1")
                .setPort(ANY_FREE_PORT)
                .setClientAuth(ClientAuth.NONE);
        InstantSource clock = new ProcessClock();
        GatewayDecisionRouter decision = new GatewayDecisionRouter(stage, clock);
        GatewayVerticle gateway = new GatewayVerticle(
                new GatewayVerticleSettings(
                        server, MOST_BODY_BYTES, ClientCertificateNames.ANY, parts.policy(), intake),
                new GatewayAdmissions(decision, new GatewayForwardRetries(stage, NOBODY), NOBODY),
                new ReviewWorkers(stage, decision, NOBODY, intake.abuse()),
                NOBODY);
        return stage.deployVerticle(
                        new DecisionVerticle(parts.policy(), Optional.empty(), clock, FreshnessMessage.NO_LIMIT))
                .compose(_ -> stage.deployVerticle(gateway))
                .map(_ -> {
                    tellCluster(stage, clock.instant());
                    return client(server, gateway.port());
                });
    }

    @Override
    public Future<?> close(Vertx stage) {
        Topic.STOPPING.publish(stage, new Topic.Stopping());
        BusMessageQueue<ReviewRecord> lines = logged;
        return Future.join(stage.deploymentIDs().stream().map(stage::undeploy).toList())
                .transform(_ -> lines == null ? Future.succeededFuture() : lines.settled(LAST_LINES))
                .transform(_ -> stage.close());
    }

    /**
     * Publishes the artificial cluster, which has one node. The node offers the last resource of each chain, so that
     * most pods get a fallback.
     */
    private void tellCluster(Vertx stage, Instant now) {
        Amounts offered = Amounts.of(ResourceName.NVIDIA_GPU, ENOUGH);
        for (List<ResourceName> chain :
                parts.policy().policies().base().chains().byHead().values()) {
            offered = offered.max(Amounts.of(chain.getLast(), ENOUGH));
        }
        for (ResourceName name :
                List.of(ResourceName.CPU, ResourceName.MEMORY, ResourceName.EPHEMERAL_STORAGE, ResourceName.PODS)) {
            offered = offered.max(Amounts.of(name, ENOUGH * ENOUGH));
        }
        Node node = new Node(
                "warm-up",
                Map.of("kubernetes.io/hostname", "warm-up"),
                List.of(),
                /* unschedulable= */ false,
                offered,
                offered,
                /* resourceVersion= */ 0);
        List.of(new NodeEvent.NodesListed(List.of(node), 0), new PodEvent.ListBegun(), new PodEvent.ListEnded(0, now))
                .forEach(event -> Topic.CLUSTER_EVENTS.publish(stage, event));
    }

    /**
     * Returns the options of a client that trusts every certificate of the gateway, whatever its issuer and names are.
     */
    private static HttpClientOptions client(HttpServerOptions server, int port) {
        PemTrustOptions trust = new PemTrustOptions();
        ((PemKeyCertOptions) server.getKeyCertOptions()).getCertValues().forEach(trust::addCertValue);
        return new HttpClientOptions()
                .setDefaultHost(server.getHost())
                .setDefaultPort(port)
                .setSsl(true)
                .setSslEngineOptions(server.getSslEngineOptions())
                .setTrustOptions(trust)
                .setVerifyHost(false)
                .setTcpNoDelay(true);
    }
}
