package dev.sluice.management;

import dev.sluice.bus.message.ActiveTls;
import dev.sluice.connection.Connections;
import dev.sluice.policy.ActivePolicy;
import io.vertx.core.http.HttpServerOptions;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The settings of the management server.
 *
 * @param connections the connections of its port
 * @param policy the policy at the start
 * @param tls what the webhook serves with at the start, if it is known
 * @param clock the clock of decisions
 */
public record ManagementSettings(
        HttpServerOptions server,
        Connections connections,
        ActivePolicy policy,
        Optional<ActiveTls> tls,
        InstantSource clock) {

    /** The pause between two scrapes or probes is shorter. */
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
