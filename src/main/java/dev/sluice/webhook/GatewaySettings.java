package dev.sluice.webhook;

import dev.sluice.admission.ActivePolicy;
import io.vertx.core.http.HttpServerOptions;
import java.util.concurrent.TimeUnit;

/**
 * How the gateways listen and decide.
 *
 * @param server host, port and TLS
 * @param instances how many share the port, one for each event loop
 * @param policy by which they begin
 */
public record GatewaySettings(HttpServerOptions server, long maxBodyBytes, int instances, ActivePolicy policy) {

    /** The API server keeps 25 idle connections for 90 s and takes one that we closed for a failed call. */
    private static final int IDLE_SECONDS = 180;

    public GatewaySettings {
        server = new HttpServerOptions(server)
                .setIdleTimeout(IDLE_SECONDS)
                .setIdleTimeoutUnit(TimeUnit.SECONDS)
                .setReuseAddress(true)
                .setTcpNoDelay(true)
                .setCompressionSupported(false)
                // Nobody speaks WebSocket here, and its handlers answer many pipelined requests with a stack trace
                // each.
                .setPerFrameWebSocketCompressionSupported(false)
                .setPerMessageWebSocketCompressionSupported(false);
    }
}
