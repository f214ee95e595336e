package dev.sluice.management;

import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.bus.ActiveTls;
import dev.sluice.management.access.AccessGate;
import dev.sluice.management.access.AccessQuestions;
import dev.sluice.metrics.parts.ManagementMetrics;
import dev.sluice.webhook.intake.Connections;
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
 * @param clock the clock of decisions, and of what is remembered of those who may read; nobody sets it
 * @param metrics counts requests that are not let in, and what streams of events miss
 * @param access whom to ask who may read; without TLS nobody is asked, because a token would be read on its way
 */
public record ManagementSettings(
        HttpServerOptions server,
        Connections connections,
        ActivePolicy policy,
        Optional<ActiveTls> tls,
        InstantSource clock,
        ManagementMetrics metrics,
        Optional<AccessQuestions> access) {

    /** The pause between two scrapes or probes is shorter. */
    private static final int IDLE_SECONDS = 90;

    /** What a request's head may have beside its token. */
    private static final int HEAD_BYTES = HttpServerOptions.DEFAULT_MAX_HEADER_SIZE;

    public ManagementSettings {
        access = server.isSsl() ? access : Optional.empty();
        server = new HttpServerOptions(server)
                .setHttp2ClearTextEnabled(false)
                .setMaxHeaderSize(access.isPresent() ? HEAD_BYTES + AccessGate.LONGEST_TOKEN : HEAD_BYTES)
                .setIdleTimeout(IDLE_SECONDS)
                .setIdleTimeoutUnit(TimeUnit.SECONDS)
                .setPerFrameWebSocketCompressionSupported(false)
                .setPerMessageWebSocketCompressionSupported(false);
    }

    /** Whoever reaches the port may read. */
    public ManagementSettings(
            HttpServerOptions server,
            Connections connections,
            ActivePolicy policy,
            Optional<ActiveTls> tls,
            InstantSource clock) {
        this(server, connections, policy, tls, clock, new ManagementMetrics(connections), Optional.empty());
    }
}
