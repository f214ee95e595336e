package dev.sluice.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.ActivePolicy;
import dev.sluice.admission.Verdict;
import dev.sluice.bus.Liveness;
import dev.sluice.bus.Topic;
import dev.sluice.cluster.Amounts;
import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.NodeEvent;
import dev.sluice.cluster.NodeLedger;
import dev.sluice.cluster.ResourceName;
import dev.sluice.codec.AdmissionReview;
import dev.sluice.tls.TlsEngine;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
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
final class TestGateway implements AutoCloseable {

    static final int MOST_BODY_BYTES = 8 * 1024 * 1024;

    /** What the gateway told its observer. */
    static final class Told implements AdmissionObserver {

        final BlockingQueue<Integer> refusals = new LinkedBlockingQueue<>();
        final BlockingQueue<String> passed = new LinkedBlockingQueue<>();
        final BlockingQueue<Throwable> faults = new LinkedBlockingQueue<>();

        @Override
        public void decided(AdmissionReview review, Verdict verdict, long generation, long nanos) {}

        @Override
        public void passed(AdmissionReview review) {
            passed.add(review.uid());
        }

        @Override
        public void refused(int status, String sentence) {
            refusals.add(status);
        }

        @Override
        public void failed(String uid, Throwable fault) {
            faults.add(fault);
        }
    }

    /** By the cluster that the gateway was told last, however old. */
    static Decisions decisions(Vertx vertx) {
        return new Decisions(vertx, InstantSource.system());
    }

    final Told told = new Told();
    private final Vertx vertx = Vertx.vertx();
    private final TestTls tls = new TestTls();
    private final int port = TestTls.freePort();
    private final String deployment;

    private TestGateway(TlsEngine engine, Function<Vertx, Admissions.PodDecision> decision) throws Exception {
        Topic.install(vertx);
        HttpServerOptions options =
                tls.secure(new HttpServerOptions().setHost("localhost").setPort(port), engine);
        AdmissionObserver observers = new Observers(List.of(told, new DecisionLog()));
        deployment = await(vertx.deployVerticle(new GatewayVerticle(
                new GatewaySettings(options, MOST_BODY_BYTES, 1, ActivePolicy.DEFAULT),
                new Admissions(decision.apply(vertx), observers),
                observers)));
    }

    /** One that has not yet been told of the cluster. */
    static TestGateway unsynced() throws Exception {
        return new TestGateway(TlsEngine.OPENSSL, TestGateway::decisions);
    }

    static TestGateway start() throws Exception {
        return start(TlsEngine.OPENSSL, TestGateway::decisions);
    }

    static TestGateway start(TlsEngine engine, Function<Vertx, Admissions.PodDecision> decision) throws Exception {
        TestGateway gateway = new TestGateway(engine, decision);
        gateway.sync();
        return gateway;
    }

    void sync() throws Exception {
        Topic.SNAPSHOTS.publish(vertx, cluster());
        var _ = await(Liveness.ask(vertx, List.of(deployment)));
    }

    private static ClusterSnapshot cluster() {
        Amounts gpus = Amounts.of(ResourceName.NVIDIA_GPU, 8);
        NodeLedger ledger = new NodeLedger();
        assertThat(ledger.apply(new NodeEvent.NodesListed(
                        List.of(new Node("gpu-1", Map.of(), List.of(), /* unschedulable= */ false, gpus, gpus, 0)), 0)))
                .isTrue();
        return ledger.snapshot();
    }

    RawClient connect() throws IOException {
        return tls.connect(port);
    }

    int port() {
        return port;
    }

    Reply ask(byte[] request) throws IOException {
        try (RawClient client = connect()) {
            return client.send(request).read();
        }
    }

    Reply ask(String request) throws IOException {
        try (RawClient client = connect()) {
            return client.send(request).read();
        }
    }

    /** The answer to a review that is the whole body of a proper request. */
    Reply review(String body) throws IOException {
        return ask(Requests.post(body));
    }

    /** Whatever came before, the next good request is served. */
    void stillServes() throws IOException {
        assertThat(review(Requests.REVIEW).patch(Requests.UID)).hasSizeGreaterThan(1);
    }

    /** One loop reads connections in turn: what was sent to another one before has been read after this. */
    void roundTrip() throws IOException {
        assertThat(ask(Requests.head("GET /healthz")).status()).isEqualTo(200);
    }

    void announceStop() throws Exception {
        Topic.STOPPING.publish(vertx, new Topic.Stopping());
        var _ = await(Liveness.ask(vertx, List.of(deployment)));
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
