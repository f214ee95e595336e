package dev.sluice.metrics.parts;

import com.codahale.metrics.Counter;
import dev.sluice.metrics.MetricFamilies;
import dev.sluice.metrics.MetricName;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.spi.metrics.HttpServerMetrics;
import io.vertx.core.spi.observability.HttpRequest;
import io.vertx.core.spi.observability.HttpResponse;

/**
 * Counts the requests to one port. There is no series for each client, because the number of clients is not limited.
 */
final class HttpServerPartMetrics implements HttpServerMetrics<HttpServerPartMetrics.BegunRequest, Object, Object> {

    /** Vert.x requires an object for each connection and passes it back. All connections share this one. */
    private static final Object ANY = new Object();

    private final Counter requests;
    private final Counter inFlight;
    private final Counter read;
    private final Counter written;

    HttpServerPartMetrics(MetricFamilies families, String port) {
        requests = families.counter(MetricName.HTTP_REQUESTS, "port", port);
        inFlight = families.counter(MetricName.HTTP_IN_FLIGHT, "port", port);
        read = families.counter(MetricName.HTTP_READ, "port", port);
        written = families.counter(MetricName.HTTP_WRITTEN, "port", port);
    }

    /**
     * A request that has begun. If the connection is closed while another thread writes the answer, Vert.x reports the
     * end of the request twice. Both reports come on the event loop of the connection, and only the first one counts.
     */
    static final class BegunRequest {
        private boolean inFlight = true;
    }

    @Override
    public Object connected(SocketAddress remote, String name) {
        return ANY;
    }

    @Override
    public BegunRequest requestBegin(Object connection, HttpRequest request) {
        requests.inc();
        inFlight.inc();
        return new BegunRequest();
    }

    @Override
    public void requestReset(BegunRequest request) {
        end(request);
    }

    @Override
    public void responseEnd(BegunRequest request, HttpResponse response, long bytes) {
        end(request);
    }

    private void end(BegunRequest request) {
        if (request.inFlight) {
            request.inFlight = false;
            inFlight.dec();
        }
    }

    @Override
    public void bytesRead(Object connection, SocketAddress remote, long bytes) {
        read.inc(bytes);
    }

    @Override
    public void bytesWritten(Object connection, SocketAddress remote, long bytes) {
        written.inc(bytes);
    }
}
