package dev.sluice.management;

import dev.sluice.connection.Connections;
import dev.sluice.policy.ActivePolicy;
import io.vertx.core.http.HttpServerOptions;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;

/**
 * How the management port listens, and by what it judges.
 *
 * @param server host and port
 * @param connections who is connected there
 * @param policy by which decisions begin
 * @param clock the one by which decisions are taken
 */
public record ManagementSettings(
        HttpServerOptions server, Connections connections, ActivePolicy policy, InstantSource clock) {

    /** Longer than the pause between two scrapes or probes. */
    private static final int IDLE_SECONDS = 90;

    public ManagementSettings {
        server = new HttpServerOptions(server)
                .setHttp2ClearTextEnabled(false)
                .setIdleTimeout(IDLE_SECONDS)
                .setIdleTimeoutUnit(TimeUnit.SECONDS)
                .setPerFrameWebSocketCompressionSupported(false)
                .setPerMessageWebSocketCompressionSupported(false);
    }
}
