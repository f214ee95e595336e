package dev.sluice.webhook;

import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.tls.ClientCertificateNames;
import dev.sluice.webhook.intake.IntakeSharedLimits;
import io.vertx.core.http.HttpServerOptions;
import java.util.concurrent.TimeUnit;

/**
 * The settings of all gateways of the process.
 *
 * @param server the host, port and TLS options
 * @param clients the accepted names in client certificates
 * @param policy the policy at the start
 * @param intake the limits that all gateways of the process share
 */
public record GatewayVerticleSettings(
        HttpServerOptions server,
        long maxBodyBytes,
        ClientCertificateNames clients,
        ActivePolicy policy,
        IntakeSharedLimits intake) {

    /**
     * The idle timeout of a connection in seconds. The API server keeps 25 idle connections for 90 s. If the gateway
     * closed one of them earlier, the next review on that connection would fail.
     */
    private static final int IDLE_SECONDS = 180;

    public GatewayVerticleSettings {
        server = new HttpServerOptions(server)
                .setIdleTimeout(IDLE_SECONDS)
                .setIdleTimeoutUnit(TimeUnit.SECONDS)
                .setReuseAddress(true)
                .setTcpNoDelay(true)
                .setCompressionSupported(false)
                // Bodies of requests are not decompressed, because a small compressed body may become a thousand times
                // as large.
                .setDecompressionSupported(false)
                // The compression of WebSocket messages is off, because no client of this port uses WebSockets. Its
                // handlers cause a stack trace for each pipelined request, so that a client could fill the log.
                .setPerFrameWebSocketCompressionSupported(false)
                .setPerMessageWebSocketCompressionSupported(false);
    }
}
