package dev.sluice.kube.facts;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LiveFactsCpuTimeTest {

    private static final byte[] LIST = new byte[64 << 20];

    /** A diagnosis that leaves this time out takes more of a processor than it may. */
    @Test
    void whatTheThreadsOfAnHttpClientTakeToReceiveAListCounts() throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            try (exchange) {
                exchange.sendResponseHeaders(200, LIST.length);
                exchange.getResponseBody().write(LIST);
            }
        });
        server.start();
        Map<Long, Long> before = LiveFactsCpuTime.ofHttpClients();
        long idle = LiveFactsCpuTime.ofHttpClientsSince(before);
        try (HttpClient client = HttpClient.newHttpClient()) {
            URI list = URI.create("http://localhost:" + server.getAddress().getPort() + "/");

            assertThat(client.send(HttpRequest.newBuilder(list).build(), BodyHandlers.ofByteArray())
                            .body())
                    .hasSameSizeAs(LIST);

            assertThat(LiveFactsCpuTime.ofHttpClientsSince(before) - idle)
                    .isGreaterThan(TimeUnit.MILLISECONDS.toNanos(1));
        } finally {
            server.stop(0);
        }
    }
}
