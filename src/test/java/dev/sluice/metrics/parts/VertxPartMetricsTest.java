package dev.sluice.metrics.parts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Ports;
import dev.sluice.metrics.ScrapeFormat;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.http.HttpServer;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class VertxPartMetricsTest {

    private final int port = Ports.free();
    private final VertxPartMetrics numbers = new VertxPartMetrics(Map.of(port, "webhook"));
    private final Vertx vertx = Vertx.builder()
            .with(VertxPartMetrics.enabledIn(new VertxOptions().setWorkerPoolSize(1)))
            .withMetrics(numbers.factory())
            .build();

    @AfterEach
    void close() {
        vertx.close().await();
    }

    private String of(String series) {
        String page = new String(ScrapeFormat.PROMETHEUS.of(numbers.families().numbers()), StandardCharsets.UTF_8);
        return page.lines()
                .filter(line -> line.startsWith(series + " "))
                .map(line -> line.substring(series.length() + 1).replaceFirst("\\.0$", ""))
                .findFirst()
                .orElse("absent");
    }

    private void awaitMoreThanNone(String series) {
        while (of(series).equals("0")) {
            Thread.onSpinWait();
        }
    }

    @Test
    void messagesAreCountedByAddressAndAllRepliesTogether() {
        MessageConsumer<String> asked = vertx.eventBus().consumer("ours", message -> message.reply("yes"));
        vertx.eventBus().request("ours", "one").await();
        vertx.eventBus().request("ours", "two").await();

        assertThat(of("vertx_eventbus_handlers{address=\"ours\"}")).isEqualTo("1");
        assertThat(of("vertx_eventbus_sent_total{address=\"ours\"}")).isEqualTo("2");
        assertThat(of("vertx_eventbus_received_total{address=\"ours\"}")).isEqualTo("2");
        assertThat(of("vertx_eventbus_pending{address=\"ours\"}")).isEqualTo("0");
        assertThat(of("vertx_eventbus_sent_total{address=\"(reply)\"}")).isEqualTo("2");
        assertThat(of("vertx_eventbus_received_total{address=\"(reply)\"}")).isEqualTo("2");

        asked.unregister().await();
        assertThat(of("vertx_eventbus_handlers{address=\"ours\"}")).isEqualTo("0");
    }

    @Test
    void aMessageThatItsHandlerHasNotTakenIsPendingAndThenDropped() {
        MessageConsumer<String> paused = vertx.eventBus().consumer("ours");
        paused.handler((Message<String> _) -> {});
        paused.pause();
        vertx.eventBus().publish("ours", "one");
        vertx.eventBus().publish("ours", "two");

        assertThat(of("vertx_eventbus_pending{address=\"ours\"}")).isEqualTo("2");

        paused.unregister().await();
        assertThat(of("vertx_eventbus_discarded_total{address=\"ours\"}")).isEqualTo("2");
        assertThat(of("vertx_eventbus_pending{address=\"ours\"}")).isEqualTo("0");
    }

    @Test
    void thereIsAnEndToTheAddressesThatAreToldApart() {
        for (int i = 0; i < 1_000; i++) {
            vertx.eventBus().consumer("ours." + i, _ -> {});
        }

        assertThat(of("vertx_eventbus_handlers{address=\"(other)\"}")).isEqualTo("900");
    }

    @Test
    @Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void requestsAreInFlightUntilTheirAnswerHasEnded() throws Exception {
        Promise<Void> answer = Promise.promise();
        HttpServer server = vertx.createHttpServer()
                .requestHandler(request -> Future.join(request.end(), answer.future())
                        .onSuccess(_ -> request.response().end("answer")))
                .listen(port, "localhost")
                .await();
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port))
                    .POST(HttpRequest.BodyPublishers.ofString("question"))
                    .build();
            var asked = client.sendAsync(request, HttpResponse.BodyHandlers.ofString());
            awaitMoreThanNone("vertx_http_server_requests_in_flight{port=\"webhook\"}");

            answer.complete();
            assertThat(asked.get().body()).isEqualTo("answer");
        }
        server.close().await();

        // Vert.x tells of bytes on the event loop of the connection, which the close of the server does not wait for:
        // of what it wrote as an answer ends, and of what it read as a question ends. It never tells of a question
        // whose connection closed before it ended, so the answer waits for that.
        awaitMoreThanNone("vertx_http_server_written_bytes_total{port=\"webhook\"}");
        awaitMoreThanNone("vertx_http_server_read_bytes_total{port=\"webhook\"}");
        assertThat(of("vertx_http_server_requests_total{port=\"webhook\"}")).isEqualTo("1");
        assertThat(of("vertx_http_server_requests_in_flight{port=\"webhook\"}")).isEqualTo("0");
    }

    /** Something of this type of which nothing is read. */
    private static <T> T unread(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (_, method, _) -> {
            throw new AssertionError(method);
        }));
    }

    @Test
    void aRequestEndsOnceThoughItsConnectionClosesWhileItIsAnswered() {
        HttpServerPartMetrics web = new HttpServerPartMetrics(numbers.families(), "webhook");
        HttpServerPartMetrics.BegunRequest begun =
                web.requestBegin("a connection", unread(io.vertx.core.spi.observability.HttpRequest.class));
        assertThat(of("vertx_http_server_requests_in_flight{port=\"webhook\"}")).isEqualTo("1");

        web.requestReset(begun);
        web.responseEnd(begun, unread(io.vertx.core.spi.observability.HttpResponse.class), 6);
        assertThat(of("vertx_http_server_requests_in_flight{port=\"webhook\"}")).isEqualTo("0");
    }

    @Test
    void tasksAreCountedByPool() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        var first = vertx.executeBlocking(
                () -> {
                    running.countDown();
                    end.await();
                    return "";
                },
                /* ordered= */ false);
        running.await();
        var second = vertx.executeBlocking(() -> "", /* ordered= */ false);

        assertThat(of("vertx_pool_threads{pool=\"vert.x-worker-thread\"}")).isEqualTo("1");
        assertThat(of("vertx_pool_in_use{pool=\"vert.x-worker-thread\"}")).isEqualTo("1");
        assertThat(of("vertx_pool_queued{pool=\"vert.x-worker-thread\"}")).isEqualTo("1");

        end.countDown();
        first.await();
        second.await();
        assertThat(of("vertx_pool_queued{pool=\"vert.x-worker-thread\"}")).isEqualTo("0");
    }
}
