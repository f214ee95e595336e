package dev.sluice.metrics.parts;

import dev.sluice.metrics.MetricFamilies;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.metrics.MetricsOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.spi.VertxMetricsFactory;
import io.vertx.core.spi.metrics.EventBusMetrics;
import io.vertx.core.spi.metrics.HttpServerMetrics;
import io.vertx.core.spi.metrics.PoolMetrics;
import io.vertx.core.spi.metrics.VertxMetrics;
import java.util.Map;

/**
 * Counts the messages, requests and tasks that Vert.x reports. Vert.x calls this class for every review. It measures no
 * durations, because that would take too much time.
 */
public final class VertxPartMetrics implements PartMetrics, VertxMetrics {

    private final MetricFamilies families = new MetricFamilies();
    private final Map<Integer, String> ports;

    /**
     * Creates the metrics.
     *
     * @param ports the name of each server by its port; the series of any other server contain the port instead of a
     *     name
     */
    public VertxPartMetrics(Map<Integer, String> ports) {
        this.ports = Map.copyOf(ports);
    }

    /** Returns {@code options} with metrics enabled. */
    public static VertxOptions enabledIn(VertxOptions options) {
        return options.setMetricsOptions(new MetricsOptions().setEnabled(true));
    }

    public VertxMetricsFactory factory() {
        return _ -> this;
    }

    @Override
    public String part() {
        return "vertx";
    }

    @Override
    public MetricFamilies families() {
        return families;
    }

    /** Does nothing, because Vert.x calls the methods of this class directly. */
    @Override
    public void listen(Vertx vertx) {}

    @Override
    public EventBusMetrics<?> createEventBusMetrics() {
        return new EventBusPartMetrics(families);
    }

    @Override
    public HttpServerMetrics<?, ?, ?> createHttpServerMetrics(HttpServerOptions options, SocketAddress address) {
        return new HttpServerPartMetrics(families, ports.getOrDefault(address.port(), String.valueOf(address.port())));
    }

    @Override
    public PoolMetrics<?, ?> createPoolMetrics(String type, String name, int threads) {
        return new ThreadPoolPartMetrics(families, name, threads);
    }
}
