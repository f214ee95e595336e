package dev.sluice.management;

import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.bus.ActiveTlsMessage;
import dev.sluice.kube.client.AccessQuestions;
import dev.sluice.kube.client.OwnRights;
import dev.sluice.metrics.parts.ManagementMetrics;
import dev.sluice.webhook.intake.Connections;
import io.vertx.core.http.HttpServerOptions;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The settings of the management server.
 *
 * @param connections the connections of the management port
 * @param policy the policy at the start
 * @param tls the certificate of the webhook at the start, if it is known
 * @param clock the clock for decisions and for the expiry of cached access decisions
 * @param metrics the counters of refused requests, and of the events that clients of the stream have missed
 * @param names additional host names by which clients may call the gateway
 * @param explainer the code that explains manifests; empty if this gateway explains none
 * @param access asks the API server who may read the management port; empty without TLS, because anyone on the network
 *     could then read a token
 * @param rights asks the API server which rights the gateway has; empty if there is no API server
 */
public record ManagementPortSettings(
        HttpServerOptions server,
        Connections connections,
        ActivePolicy policy,
        Optional<ActiveTlsMessage> tls,
        InstantSource clock,
        ManagementMetrics metrics,
        Set<String> names,
        Optional<ManagementManifestExplainer> explainer,
        Optional<AccessQuestions> access,
        Optional<OwnRights> rights) {

    /** The idle timeout of a connection. It is longer than the time between two scrapes or probes. */
    private static final int IDLE_SECONDS = 90;

    /** The maximum number of bytes in the head of a request, apart from its token. */
    private static final int HEAD_BYTES = HttpServerOptions.DEFAULT_MAX_HEADER_SIZE;

    public ManagementPortSettings {
        names = Set.copyOf(names);
        access = server.isSsl() ? access : Optional.empty();
        server = new HttpServerOptions(server)
                .setHttp2ClearTextEnabled(false)
                .setMaxHeaderSize(access.isPresent() ? HEAD_BYTES + AccessGate.LONGEST_TOKEN : HEAD_BYTES)
                .setIdleTimeout(IDLE_SECONDS)
                .setIdleTimeoutUnit(TimeUnit.SECONDS)
                .setPerFrameWebSocketCompressionSupported(false)
                .setPerMessageWebSocketCompressionSupported(false);
    }

    /** Creates settings without access control: everybody who reaches the port may read. */
    public ManagementPortSettings(
            HttpServerOptions server,
            Connections connections,
            ActivePolicy policy,
            Optional<ActiveTlsMessage> tls,
            InstantSource clock) {
        this(
                server,
                connections,
                policy,
                tls,
                clock,
                new ManagementMetrics(connections),
                Set.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }
}
