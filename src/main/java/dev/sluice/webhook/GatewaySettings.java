package dev.sluice.webhook;

import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.tls.ClientNames;
import dev.sluice.webhook.intake.SharedLimits;
import io.vertx.core.http.HttpServerOptions;
import java.util.concurrent.TimeUnit;

/**
 * How the gateways listen and decide.
 *
 * @param server host, port and TLS
 * @param clients whom TLS let in and who is served
 * @param policy by which they begin
 * @param intake what they share
 */
public record GatewaySettings(
        HttpServerOptions server, long maxBodyBytes, ClientNames clients, ActivePolicy policy, SharedLimits intake) {

    /**
     * The API server keeps 25 idle connections for 90 s. If the gateway closes one first, the next call on it fails.
     */
    private static final int IDLE_SECONDS = 180;

    public GatewaySettings {
        server = new HttpServerOptions(server)
                .setIdleTimeout(IDLE_SECONDS)
                .setIdleTimeoutUnit(TimeUnit.SECONDS)
                .setReuseAddress(true)
                .setTcpNoDelay(true)
                .setCompressionSupported(false)
                // A small compressed body may become a thousand times as large.
                .setDecompressionSupported(false)
                // Nobody speaks WebSocket here, and its handlers answer many pipelined requests with a stack trace
                // each.
                .setPerFrameWebSocketCompressionSupported(false)
                .setPerMessageWebSocketCompressionSupported(false);
    }
}
