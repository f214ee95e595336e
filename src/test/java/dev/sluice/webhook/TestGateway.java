package dev.sluice.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Ports;
import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.bus.EventBusLiveness;
import dev.sluice.bus.Topic;
import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.NodeEvent;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.kube.decode.AdmissionReview;
import dev.sluice.ledger.placement.PlacementNodes;
import dev.sluice.record.observe.DecisionLog;
import dev.sluice.record.observe.ObservedForwardResult;
import dev.sluice.record.observe.ReviewObserver;
import dev.sluice.record.observe.ReviewObservers;
import dev.sluice.tls.ClientCertificateNames;
import dev.sluice.tls.TlsEngine;
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
import io.vertx.core.http.HttpServerOptions;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Gateways on a port of their own behind real TLS, for a cluster of one node with eight whole GPUs. */
public final class TestGateway implements AutoCloseable {

    public static final int MOST_BODY_BYTES = 8 * 1024 * 1024;

    /** As the launcher has it. */
    private static final long HEAP_BYTES = 192L * 1024 * 1024;

    /** What the gateway told its observer. */
    static final class Told implements ReviewObserver {

        public final BlockingQueue<Integer> refusals = new LinkedBlockingQueue<>();
        final BlockingQueue<String> passed = new LinkedBlockingQueue<>();
        final BlockingQueue<Throwable> faults = new LinkedBlockingQueue<>();
        final BlockingQueue<ObservedForwardResult> forwards = new LinkedBlockingQueue<>();

        @Override
        public void passed(AdmissionReview review) {
            passed.add(review.uid());
        }

        @Override
        public void refused(int status, String sentence) {
            refusals.add(status);
        }

        @Override
        public void forwarded(ObservedForwardResult result, long nanos) {
            forwards.add(result);
        }

        @Override
        public void failed(String uid, Throwable fault) {
            faults.add(fault);
        }
    }

    /** By the cluster that the gateway was told last, however old. */
    static GatewayDecisionRouter decisions(Vertx vertx) {
        return new GatewayDecisionRouter(vertx, InstantSource.system());
    }

    public final Told told = new Told();
    final ClientAbuseCounter causes = new ClientAbuseCounter();
    private static final TestTls TLS = new TestTls();
    private final int port = Ports.free();
    final IntakeSharedLimits intake;
    final LoopProbe loop;
    private final Vertx vertx;
    private final String deployment;

    private TestGateway(
            HttpServerOptions secured,
            ClientCertificateNames clients,
            Function<Vertx, GatewayAdmissions.ReviewDecider> decision)
            throws Exception {
        intake = new IntakeSharedLimits(
                new Connections(ConnectionLimits.WEBHOOK, causes),
                MemoryBudget.of(HEAP_BYTES, MOST_BODY_BYTES, causes),
                new BodyPiecePool(),
                causes);
        vertx = Vertx.builder()
                .with(new VertxOptions().setEventLoopPoolSize(1))
                .withTransport(GuardedTransport.of(Map.of(port, intake.connections())))
                .build();
        loop = new LoopProbe(vertx);
        Topic.install(vertx);
        vertx.setPeriodic(Connections.CHECK_MILLIS, _ -> intake.connections().closeOverdue());
        HttpServerOptions options = secured.setPort(port);
        ReviewObserver observers = new ReviewObservers(List.of(told, new DecisionLog()));
        GatewayAdmissions.ReviewDecider decided = decision.apply(vertx);
        deployment = await(vertx.deployVerticle(new GatewayVerticle(
                new GatewayVerticleSettings(options, MOST_BODY_BYTES, clients, ActivePolicy.DEFAULT, intake),
                new GatewayAdmissions(decided, new GatewayForwardRetries(vertx, observers), observers),
                new ReviewWorkers(vertx, decided, observers, causes),
                observers)));
    }

    /** One that has not yet been told of the cluster. */
    static TestGateway unsynced() throws Exception {
        return new TestGateway(secured(TlsEngine.OPENSSL), ClientCertificateNames.ANY, TestGateway::decisions);
    }

    public static TestGateway start() throws Exception {
        return start(TlsEngine.OPENSSL, TestGateway::decisions);
    }

    static TestGateway start(TlsEngine engine, Function<Vertx, GatewayAdmissions.ReviewDecider> decision)
            throws Exception {
        TestGateway gateway = new TestGateway(secured(engine), ClientCertificateNames.ANY, decision);
        gateway.sync();
        return gateway;
    }

    /** For clients with certificates of their own. */
    static TestGateway start(HttpServerOptions secured, ClientCertificateNames clients) throws Exception {
        TestGateway gateway = new TestGateway(secured, clients, TestGateway::decisions);
        gateway.sync();
        return gateway;
    }

    private static HttpServerOptions secured(TlsEngine engine) {
        return TLS.secure(new HttpServerOptions().setHost("localhost"), engine);
    }

    void sync() throws Exception {
        Topic.SNAPSHOTS.publish(vertx, cluster());
        var _ = await(EventBusLiveness.ask(vertx, List.of(deployment)));
    }

    /** Has the gateway decide by this policy from now on. */
    void follow(ActivePolicy policy) throws Exception {
        Topic.POLICIES.publish(vertx, policy);
        var _ = await(EventBusLiveness.ask(vertx, List.of(deployment)));
    }

    Vertx vertx() {
        return vertx;
    }

    private static ClusterSnapshot cluster() {
        Amounts gpus = Amounts.of(ResourceName.NVIDIA_GPU, 8);
        PlacementNodes ledger = new PlacementNodes();
        assertThat(ledger.apply(new NodeEvent.NodesListed(
                        List.of(new Node("gpu-1", Map.of(), List.of(), /* unschedulable= */ false, gpus, gpus, 0)), 0)))
                .isTrue();
        return ledger.snapshot();
    }

    public RawClient connect() throws IOException {
        return TLS.connect(port);
    }

    int port() {
        return port;
    }

    public Reply ask(byte[] request) throws IOException {
        try (RawClient client = connect()) {
            return client.send(request).read();
        }
    }

    public Reply ask(String request) throws IOException {
        try (RawClient client = connect()) {
            return client.send(request).read();
        }
    }

    /** The answer to a review that is the whole body of a proper request. */
    public Reply review(String body) throws IOException {
        return ask(Requests.post(body));
    }

    /** Whatever came before, the next good request is served. */
    public void stillServes() throws IOException {
        assertThat(review(Requests.REVIEW).patch(Requests.UID)).hasSizeGreaterThan(1);
    }

    /** One loop reads connections in turn: what was sent to another one before has been read after this. */
    void roundTrip() throws IOException {
        assertThat(ask(Requests.head("GET /healthz")).status()).isEqualTo(200);
    }

    void announceStop() throws Exception {
        Topic.STOPPING.publish(vertx, new Topic.Stopping());
        var _ = await(EventBusLiveness.ask(vertx, List.of(deployment)));
    }

    void announceLeave() throws Exception {
        Topic.LEAVING.publish(vertx, new Topic.Leaving());
        var _ = await(EventBusLiveness.ask(vertx, List.of(deployment)));
    }

    Future<Void> undeploy() {
        return vertx.undeploy(deployment);
    }

    static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    /** Nobody waits for the end: the port is drained for a second first. */
    @Override
    public void close() {
        var _ = vertx.close();
    }
}
