package dev.sluice.cli.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.ServerWebSocket;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A forwarded port, before an API server that has two gateways, and whose pods send back what they get. */
class ForwardedPortTest {

    private static final byte DATA = 0;
    private static final byte ERRORS = 1;

    private final Vertx vertx = Vertx.vertx();
    private final CompletableFuture<ServerWebSocket> opened = new CompletableFuture<>();
    /** The answers of the API server to forwarding a port to one of the pods. */
    private final Map<String, Integer> refusals = new ConcurrentHashMap<>();

    private final HttpServer server = vertx.createHttpServer(
                    new HttpServerOptions().addWebSocketSubProtocol("v4.channel.k8s.io"))
            .requestHandler(ForwardedPortTest::answer)
            .webSocketHandshakeHandler(asked -> {
                @Nullable
                Integer refusal = refusals.get(String.valueOf(asked.path()).split("/", -1)[6]);
                if (refusal == null) {
                    asked.accept();
                } else {
                    asked.reject(refusal);
                }
            })
            .webSocketHandler(this::echo)
            .listen(0, "127.0.0.1")
            .await();

    private final KubernetesClient client = new KubernetesClientBuilder()
            .withHttpClientFactory(new JdkHttpClientFactory())
            .withConfig(new ConfigBuilder()
                    .withMasterUrl("http://127.0.0.1:" + server.actualPort())
                    .build())
            .build();

    private static void answer(HttpServerRequest asked) {
        String pods = Stream.of("first", "second")
                .map("""
                        {"metadata": {"name": "%s"},
                         "spec": {"containers": [{"ports": [{"name": "management", "containerPort": 8080}]}]},
                         "status": {"conditions": [{"type": "Ready", "status": "True"}]}}"""::formatted)
                .collect(Collectors.joining(",", "{\"items\": [", "]}"));
        // The user has all rights.
        String rights = """
                {"kind": "SelfSubjectAccessReview", "status": {"allowed": true}}""";
        var _ = asked.response()
                .putHeader("Content-Type", "application/json")
                .end(String.valueOf(asked.path()).contains("/pods") ? pods : rights);
    }

    /** Reads nothing for a second, so that what the caller sends has to wait. */
    private void echo(ServerWebSocket caller) {
        for (byte channel : new byte[] {DATA, ERRORS}) {
            var _ = caller.writeBinaryMessage(
                    Buffer.buffer().appendByte(channel).appendUnsignedShortLE(8080));
        }
        caller.binaryMessageHandler(caller::writeBinaryMessage);
        caller.pause();
        vertx.setTimer(1_000, _ -> caller.resume());
        opened.complete(caller);
    }

    @AfterEach
    void close() {
        client.close();
        vertx.close().await();
    }

    private ForwardedPort forward() throws Exception {
        GatewayInCluster cluster = new GatewayInCluster(client, "gpu-system");
        return cluster.forward(cluster.forwardable(Optional.empty()).getFirst());
    }

    private static Socket connect(ForwardedPort port) throws IOException {
        String base = port.base();
        return new Socket(
                InetAddress.getLoopbackAddress(), Integer.parseInt(base.substring(base.lastIndexOf(':') + 1)));
    }

    @Test
    void everyByteArrivesAlsoIfThePodReadsLate() throws Exception {
        byte[] sent = new byte[8 * 1_024 * 1_024];
        Random random = new Random(7);
        random.nextBytes(sent);
        try (ForwardedPort port = forward();
                Socket socket = connect(port)) {
            socket.setSoTimeout(20_000);
            Thread writer = Thread.ofVirtual().start(() -> {
                try {
                    OutputStream out = socket.getOutputStream();
                    for (int at = 0; at < sent.length; ) {
                        int next = Math.min(sent.length, at + 1 + random.nextInt(9_000));
                        out.write(Arrays.copyOfRange(sent, at, next));
                        at = next;
                    }
                } catch (IOException ended) {
                    throw new IllegalStateException(ended);
                }
            });

            byte[] echoed = socket.getInputStream().readNBytes(sent.length);

            writer.join();
            assertThat(echoed).isEqualTo(sent);
        }
    }

    @Test
    void theCallerSeesThatThePodHasClosedTheConnection() throws Exception {
        try (ForwardedPort port = forward();
                Socket socket = connect(port)) {
            socket.setSoTimeout(20_000);
            opened.get(20, TimeUnit.SECONDS).close().await();

            assertThat(socket.getInputStream().read()).isEqualTo(-1);
            assertThat(port.refusal()).isEmpty();
        }
    }

    @Test
    void thePodSeesThatTheCallerHasClosedTheConnection() throws Exception {
        CompletableFuture<Void> ended = new CompletableFuture<>();
        try (ForwardedPort port = forward()) {
            Socket socket = connect(port);
            opened.get(20, TimeUnit.SECONDS).closeHandler(ended::complete);

            socket.close();

            assertThat(ended).succeedsWithin(20, TimeUnit.SECONDS);
        }
    }

    @Test
    void theOpenConnectionsEndWithThePort() throws Exception {
        ForwardedPort port = forward();
        try (Socket socket = connect(port)) {
            socket.setSoTimeout(20_000);
            var _ = opened.get(20, TimeUnit.SECONDS);

            port.close();

            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {403, 404, 500, 503})
    void aRefusalOfTheApiServerEndsTheConnectionAtOnceAndIsKnown(int status) throws Exception {
        refusals.put("first", status);
        try (ForwardedPort port = forward();
                Socket socket = connect(port)) {
            socket.setSoTimeout(3_000);

            assertThat(socket.getInputStream().read()).isEqualTo(-1);
            assertThat(port.refusal()).hasValue(status);
        }
    }

    @Test
    void anErrorOfTheKubeletEndsTheConnection() throws Exception {
        try (ForwardedPort port = forward();
                Socket socket = connect(port)) {
            socket.setSoTimeout(20_000);

            var _ = opened.get(20, TimeUnit.SECONDS)
                    .writeBinaryMessage(Buffer.buffer().appendByte(ERRORS).appendString("connection refused"))
                    .await();

            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
    }

    private ForwardedRoute route() throws UserProblem {
        return ForwardedRoute.open(
                new GatewayInCluster(client, "gpu-system"), new ConnectionOption(), new GatewayOption.Credentials());
    }

    @Test
    void aGatewayWhoseNodeCannotBeReachedIsPassedOver() throws Exception {
        refusals.put("first", 500);
        try (ForwardedRoute route = route()) {
            assertThat(opened).as("a connection to the second").isCompleted();
            GatewayApiClient silent = route.now();
            refusals.clear();

            assertThat(route.after(silent)).isNotEqualTo(silent);
        }
    }

    @Test
    void whyNoPortIsForwardedIsTold() {
        refusals.putAll(Map.of("first", 500, "second", 404));

        assertThatThrownBy(this::route)
                .isInstanceOf(UserProblem.class)
                .hasMessage("no gateway can be reached: the API server did not forward a port; it answered 500 for the"
                        + " pod first, and 404 for the pod second");
    }
}
