package dev.sluice.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A forwarded port, before an API server whose pod sends back what it gets. */
class ForwardedPortTest {

    private static final byte DATA = 0;
    private static final byte ERRORS = 1;

    private final Vertx vertx = Vertx.vertx();
    private final CompletableFuture<ServerWebSocket> opened = new CompletableFuture<>();
    private boolean isForbidden;

    private final HttpServer server = vertx.createHttpServer(
                    new HttpServerOptions().addWebSocketSubProtocol("v4.channel.k8s.io"))
            .requestHandler(ForwardedPortTest::pods)
            .webSocketHandshakeHandler(asked -> {
                if (isForbidden) {
                    asked.reject(403);
                } else {
                    asked.accept();
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

    private static void pods(HttpServerRequest asked) {
        var _ = asked.response().end("""
                {"items": [{"metadata": {"name": "gateway"},
                  "spec": {"containers": [{"ports": [{"name": "management", "containerPort": 8080}]}]},
                  "status": {"conditions": [{"type": "Ready", "status": "True"}]}}]}
                """);
    }

    /** Reads nothing for a second, so that what the caller sends has to wait. */
    private void echo(ServerWebSocket caller) {
        for (byte channel : new byte[] {DATA, ERRORS}) {
            var _ = caller.writeBinaryMessage(
                    Buffer.buffer().appendByte(channel).appendUnsignedShortLE(8080));
        }
        caller.binaryMessageHandler(caller::writeBinaryMessage);
        caller.pause();
        var _ = vertx.setTimer(1_000, _ -> caller.resume());
        opened.complete(caller);
    }

    @AfterEach
    void close() {
        client.close();
        vertx.close().await();
    }

    private ForwardedPort forward() throws Exception {
        return new GatewayInCluster(client, "gpu-system").forward(Optional.empty());
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
            assertThat(port.isForbidden()).isFalse();
        }
    }

    @Test
    void thePodSeesThatTheCallerHasClosedTheConnection() throws Exception {
        CompletableFuture<Void> ended = new CompletableFuture<>();
        try (ForwardedPort port = forward()) {
            try (Socket socket = connect(port)) {
                opened.get(20, TimeUnit.SECONDS).closeHandler(ended::complete);
            }

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

    @Test
    void aRefusalOfTheApiServerEndsTheConnectionAndIsKnown() throws Exception {
        isForbidden = true;
        try (ForwardedPort port = forward();
                Socket socket = connect(port)) {
            socket.setSoTimeout(20_000);

            assertThat(socket.getInputStream().read()).isEqualTo(-1);
            assertThat(port.isForbidden()).isTrue();
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
}
