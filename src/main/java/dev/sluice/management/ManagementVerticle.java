package dev.sluice.management;

import dev.sluice.api.ApiEventEncoder;
import dev.sluice.api.BypassDocuments;
import dev.sluice.api.DecisionDocuments;
import dev.sluice.api.DiagnosisDocuments;
import dev.sluice.bus.RecordFlushRequest;
import dev.sluice.bus.Service;
import dev.sluice.bus.Topic;
import dev.sluice.kube.client.OwnPodName;
import dev.sluice.metrics.parts.Scrape;
import dev.sluice.record.RecordedStreamEvent;
import dev.sluice.replication.Member;
import dev.sluice.tls.ServerTls;
import dev.sluice.webhook.intake.ConnectionTracking;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpServer;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The management server. It serves {@code /livez}, {@code /readyz}, {@code /metrics}, the API and the console, and
 * lists them at {@code /}.
 */
public final class ManagementVerticle extends VerticleBase {

    /** The clock of records, which contain the time of day. The clock of the process does not go back with it. */
    private static final InstantSource TIME_OF_DAY = InstantSource.system();

    private final ManagementPortSettings settings;
    private @Nullable HttpServer server;
    private final Scrape scrape;
    private final RecordFlushRequest records;
    private final List<String> watched;
    private final Readiness readiness;
    private final DecisionDocuments decisions;
    private final DiagnosisDocuments diagnosis;
    private final BypassDocuments bypassed = new BypassDocuments();

    /**
     * Creates the server.
     *
     * @param watched the deployment ids of the verticles whose event loops must respond, so that {@code /livez}
     *     succeeds
     */
    public ManagementVerticle(
            ManagementPortSettings settings, Scrape scrape, RecordFlushRequest records, List<String> watched) {
        this.settings = settings;
        this.scrape = scrape;
        this.records = records;
        this.watched = List.copyOf(watched);
        this.readiness = new Readiness(settings.clock(), settings.policy(), settings.tls());
        this.decisions = new DecisionDocuments(TIME_OF_DAY);
        this.diagnosis = new DiagnosisDocuments(settings.clock());
    }

    @Override
    public Future<?> start() {
        ManagementLedgerCopies ledger = new ManagementLedgerCopies(vertx);
        CapacityApi capacity = new CapacityApi(vertx, readiness, settings.clock(), ledger);
        FleetApi fleet = new FleetApi(vertx, capacity, settings.clock(), decisions.epoch());
        EventStream events = new EventStream(
                new ApiEventEncoder(decisions.epoch()),
                context,
                settings.metrics()::miss,
                new EventStreamReplica(OwnPodName.hostName(), /* decides= */ true, Optional.empty()),
                fleet::since,
                settings.access().isPresent());
        capacity.start();
        subscribe();
        subscribe(events);
        ManagementPeerPages peers = new ManagementPeerPages(vertx);
        Topic.REPLICATION.subscribe(vertx, status -> {
            readiness.replication(status);
            peers.update(status);
            events.deciding(known -> known.heldBy(status.holder().map(Member::identity)));
        });
        ManagementStatusPage status = new ManagementStatusPage(
                settings,
                readiness,
                settings.rights().map(asked -> new ManagementRightsLog(context, settings.clock(), asked)));
        status.listen(vertx);
        RateLimitedApi api = new RateLimitedApi(vertx, TIME_OF_DAY, records, decisions, diagnosis, peers, status);
        Optional<ExplainApi> explanations =
                settings.explainer().map(explainer -> new ExplainApi(vertx, explainer, settings.policy(), ledger));
        explanations.ifPresent(ExplainApi::subscribe);
        Service.OWN_DECISIONS.serveLater(vertx, api::ownDecisions);
        Service.OWN_STATUS.serveLater(vertx, api::ownStatus);
        Service.MANAGEMENT_TLS.serve(vertx, this::renew);
        ManagementRoutes routes = new ManagementRoutes(
                vertx,
                context,
                settings,
                new ManagementPages(readiness, api, capacity, fleet, events, bypassed, explanations, scrape, watched));
        return vertx.createHttpServer(settings.server())
                .connectionHandler(connection -> {
                    ConnectionTracking.track(connection, settings.connections());
                    ManagementBrowserSafety.protect(connection);
                })
                .requestHandler(routes.router())
                .listen()
                .onSuccess(listening -> server = listening);
    }

    /**
     * Replaces the certificate. The update is forced, because Vert.x would otherwise ignore content that it has once
     * failed to load.
     */
    private Future<Boolean> renew(ServerTls tls) {
        return server == null || !settings.server().isSsl()
                ? Future.succeededFuture(false)
                : server.updateSSLOptions(
                        ServerTls.open(tls.identity(), tls.engine()).renewal(), /* force= */ true);
    }

    private void subscribe() {
        Topic.WATCH_STATUS.subscribe(vertx, readiness::watch);
        Topic.DECISION_GATE.subscribe(vertx, readiness::decisionGate);
        Topic.FRESHNESS.subscribe(vertx, readiness::freshness);
        Topic.POLICIES.subscribe(vertx, readiness::policy);
        Topic.TLS_ACTIVE.subscribe(vertx, readiness::tls);
        Topic.TLS_RELOADS.subscribe(vertx, readiness::tlsReload);
        Topic.LEAVING.subscribe(vertx, readiness::leaving);
        Topic.DIAGNOSES.subscribe(vertx, diagnosis::keep);
        Topic.BYPASSES.subscribe(vertx, bypassed::keep);
    }

    /** Subscribes to the topics whose messages the event stream shows. */
    private void subscribe(EventStream events) {
        Topic.DECISION_GATE.subscribe(vertx, gate -> events.deciding(known -> known.decides(gate.decidesHere())));
        vertx.setPeriodic(EventStream.HEARTBEAT_MILLIS, _ -> events.heartbeat());
        Topic.DECISIONS.subscribe(vertx, batch -> events.add(decisions.keep(batch)));
        Topic.SNAPSHOTS.subscribe(vertx, snapshot -> {
            readiness.snapshot(snapshot);
            events.add(List.of(new RecordedStreamEvent.CapacityChanged(snapshot.generation(), snapshot.size())));
        });
        Topic.STOPPING.subscribe(vertx, signal -> {
            readiness.stopping(signal);
            events.end();
        });
    }
}
