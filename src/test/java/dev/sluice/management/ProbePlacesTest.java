package dev.sluice.management;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Ports;
import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.bus.RecordFlushRequest;
import dev.sluice.bus.Topic;
import dev.sluice.metrics.parts.Scrape;
import dev.sluice.webhook.intake.ClientAbuseCounter;
import dev.sluice.webhook.intake.ConnectionLimits;
import dev.sluice.webhook.intake.Connections;
import dev.sluice.webhook.intake.GuardedTransport;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.internal.VertxInternal;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which of the new connections to the management port are closed when one more comes from the same address. */
class ProbePlacesTest {

    private static final ConnectionLimits OF_TWO = new ConnectionLimits(2, 2, 2, 2, 2, Duration.ofHours(1));

    private final int port = Ports.free();
    private @Nullable VertxInternal vertx;

    private VertxInternal start(ConnectionLimits limits) throws Exception {
        Connections connections = new Connections(limits, new ClientAbuseCounter());
        VertxInternal started = (VertxInternal) Vertx.builder()
                .withTransport(GuardedTransport.of(Map.of(port, connections)))
                .build();
        vertx = started;
        Topic.install(started);
        var _ = await(started.deployVerticle(new ManagementVerticle(
                new ManagementPortSettings(
                        new HttpServerOptions().setHost("127.0.0.1").setPort(port),
                        connections,
                        ActivePolicy.DEFAULT,
                        Optional.empty(),
                        () -> Instant.EPOCH),
                new Scrape(List.of(), new RecordFlushRequest(List.of())),
                new RecordFlushRequest(List.of()),
                List.of())));
        return started;
    }

    @AfterEach
    void stop() throws Exception {
        if (vertx != null) {
            var _ = await(vertx.close());
        }
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    private record Client(Socket socket, BufferedReader in) implements AutoCloseable {

        String ask(String path) throws IOException {
            send(path);
            return status();
        }

        void send(String path) throws IOException {
            socket.getOutputStream().write(("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n").getBytes(US_ASCII));
        }

        String status() throws IOException {
            return String.valueOf(in.readLine());
        }

        void awaitEnd() {
            try {
                in.lines().forEach(_ -> {});
            } catch (UncheckedIOException reset) {
                assertThat(reset.getCause()).isInstanceOf(SocketException.class);
            }
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    private Client connect() throws IOException {
        Socket socket = new Socket(InetAddress.ofLiteral("127.0.0.1"), port);
        socket.setSoTimeout(10_000);
        return new Client(socket, new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII)));
    }

    @Test
    void whoeverWaitsForALongAnswerGivesWayToAProbe() throws Exception {
        var _ = start(OF_TWO);
        try (Client reader = connect()) {
            assertThat(reader.ask("/api/v1/events")).contains("200");
            try (Client probe = connect();
                    Client next = connect()) {
                reader.awaitEnd();

                assertThat(probe.ask("/livez")).contains("200");
                assertThat(next.ask("/readyz")).contains("503");
            }
        }
    }
}
