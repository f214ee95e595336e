package dev.sluice.app;

import dev.sluice.bus.BusMessageQueue;
import dev.sluice.bus.EventBusLiveness;
import dev.sluice.bus.RecordFlushRequest;
import dev.sluice.bus.Topic;
import dev.sluice.kube.facts.DiagnosisVerticle;
import dev.sluice.kube.watch.PodReflectorAccess;
import dev.sluice.lease.DecisionVerticle;
import dev.sluice.lease.LeaseReplicaSettings;
import dev.sluice.log.LossCounter;
import dev.sluice.management.ManagementPortSettings;
import dev.sluice.management.ManagementVerticle;
import dev.sluice.metrics.parts.AdmissionMetrics;
import dev.sluice.metrics.parts.GatewayParts;
import dev.sluice.metrics.parts.MeasuredVerticle;
import dev.sluice.metrics.parts.PartMetrics;
import dev.sluice.metrics.parts.Scrape;
import dev.sluice.metrics.parts.VertxPartMetrics;
import dev.sluice.peers.PeerPortSettings;
import dev.sluice.peers.PeerVerticle;
import dev.sluice.record.ReviewRecord;
import dev.sluice.record.events.BypassVerticle;
import dev.sluice.record.observe.DecisionGateLog;
import dev.sluice.record.observe.DecisionLog;
import dev.sluice.record.observe.InSyncLog;
import dev.sluice.record.observe.ReviewObserver;
import dev.sluice.record.observe.ReviewObservers;
import dev.sluice.reload.PolicyVerticle;
import dev.sluice.webhook.GatewayAdmissions;
import dev.sluice.webhook.GatewayDecisionRouter;
import dev.sluice.webhook.GatewayForwardRetries;
import dev.sluice.webhook.GatewayVerticle;
import dev.sluice.webhook.GatewayVerticleSettings;
import dev.sluice.webhook.ReviewWorkers;
import dev.sluice.webhook.intake.ConnectionLimits;
import dev.sluice.webhook.intake.Connections;
import dev.sluice.webhook.intake.GuardedTransport;
import dev.sluice.webhook.intake.IntakeSharedLimits;
import io.vertx.core.Deployable;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.ThreadingModel;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxBuilder;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.transport.Transport;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The gateway, composed of its verticles. Subscribers are deployed before publishers. {@link #close()} first stops
 * accepting reviews, and then stops everything else.
 */
public final class AssembledGateway {

    private static final int GATEWAYS = Runtime.getRuntime().availableProcessors();

    /** The longest time that {@link #close()} waits for the last log lines. */
    private static final Duration LAST_LINES = Duration.ofSeconds(1);

    /**
     * The time limit of the warm-up. It is short, because a rollout waits for each replica. A slow machine answers
     * fewer reviews in this time.
     */
    private static final Duration LONGEST_WARM_UP = Duration.ofMillis(1_500);

    private final SluiceParts parts;
    private final IntakeSharedLimits intake;
    private final Connections managementConnections;
    private final Connections peerConnections;
    /** The port for other replicas; empty if this gateway shares no reservations. */
    private final Optional<PeerPortSettings> peers;

    private final Vertx vertx;
    private final InstantSource clock = new ProcessClock();
    private final GatewayParts metrics;
    private final List<String> gateways = new ArrayList<>();
    private final List<String> watchedLoops = new ArrayList<>();
    /** The settings with which this process shares reservations; empty if there can be no other replicas. */
    private final Optional<LeaseReplicaSettings> replica;

    private String decision = "";
    /**
     * True if this process exchanges messages with other replicas. The field is volatile, because the thread of the
     * shutdown reads it.
     */
    private volatile boolean hasOthers;

    private final BusMessageQueue<ReviewRecord> logged;
    private final DecisionLog log = new DecisionLog();

    private AssembledGateway(SluiceParts parts) {
        this.parts = parts;
        this.intake = IntakeSharedLimits.forWebhook(parts.maxBodyBytes());
        this.managementConnections = new Connections(ConnectionLimits.MANAGEMENT, intake.abuse());
        this.peerConnections = new Connections(ConnectionLimits.PEERS, intake.abuse());
        Optional<LeaseReplicaSettings> alone = parts.source()
                .replica(clock)
                .filter(_ -> parts.policy().policies().reserve());
        this.peers = parts.peers().filter(_ -> alone.isPresent());
        this.replica = alone.map(settings ->
                peers.map(peer -> settings.at(peer.advertisedAddress())).orElse(settings));
        this.metrics = GatewayParts.of(measured(), this::lostLines, clock);
        VertxOptions options = options();
        VertxBuilder builder = Vertx.builder().with(options).withTransport(transport());
        metrics.vertx()
                .ifPresent(numbers ->
                        builder.with(VertxPartMetrics.enabledIn(options)).withMetrics(numbers.factory()));
        this.vertx = builder.build();
        this.logged = log.listen(vertx);
    }

    private GatewayParts.MeasuredGateway measured() {
        return new GatewayParts.MeasuredGateway(
                GATEWAYS,
                parts.policy(),
                parts.certificates().map(CertificateSource::first),
                parts.nodeSeries(),
                parts.vertxSeries() ? portNames() : Map.of(),
                intake,
                managementConnections,
                peerConnections);
    }

    private Map<Integer, String> portNames() {
        Map<Integer, String> names = new HashMap<>();
        parts.peers().ifPresent(port -> names.put(port.port(), "peers"));
        names.put(parts.webhook().getPort(), "webhook");
        names.put(parts.management().getPort(), "management");
        return names;
    }

    /**
     * Returns the number of lost log lines: decision records that were dropped before they were logged, and lines that
     * were dropped by the log itself.
     */
    private long lostLines() {
        return logged.dropped() + LossCounter.lost();
    }

    private VertxOptions options() {
        // There is one event loop for each gateway verticle, one for the verticle that owns the ledger, and one for the
        // verticle for other replicas. Vert.x assigns event loops in turn, and these verticles are deployed one after
        // the other, so no two of them share an event loop. Unknown clients can make the verticle for other replicas
        // perform TLS handshakes, which must not delay decisions.
        int loops = GATEWAYS + 1 + (peers.isPresent() ? 1 : 0);
        return new VertxOptions()
                .setEventLoopPoolSize(loops)
                .setWorkerPoolSize(2)
                .setInternalBlockingPoolSize(2);
    }

    private Transport transport() {
        Map<Integer, Connections> ports = new HashMap<>();
        peers.ifPresent(port -> ports.put(port.port(), peerConnections));
        ports.put(parts.webhook().getPort(), intake.connections());
        ports.put(parts.management().getPort(), managementConnections);
        return GuardedTransport.of(ports);
    }

    /** Starts a gateway. If a part cannot be started, all other parts are closed again and the future fails. */
    public static Future<AssembledGateway> start(SluiceParts parts) {
        AssembledGateway sluice = new AssembledGateway(parts);
        return sluice.deployAll()
                .map(sluice)
                .recover(cause -> sluice.vertx.close().transform(_ -> Future.failedFuture(cause)));
    }

    private Future<?> deployAll() {
        Topic.install(vertx);
        metrics.records().watch("log", logged);
        Topic.REPLICATION.subscribe(
                vertx,
                status -> hasOthers =
                        status.elsewhere().isPresent() || !status.lag().isEmpty());
        DecisionGateLog.listen(vertx);
        InSyncLog.listen(vertx);
        metrics.withoutVerticle().forEach(part -> part.answer(vertx));
        vertx.setPeriodic(Connections.CHECK_MILLIS, _ -> {
            intake.connections().closeOverdue();
            managementConnections.closeOverdue();
            peerConnections.closeOverdue();
        });
        return ListenFailedException.Listener.WEBHOOK
                .named(deployGateways(), parts.webhook())
                .compose(_ -> deployDecision())
                .compose(_ -> deployPeers())
                .compose(_ -> deployWorker(metrics.jvm()))
                .compose(_ -> deployWorker(metrics.capacity()))
                .compose(_ -> deployManagement())
                .compose(_ -> deploy(new PolicyVerticle(parts.policies(), parts.policy()), metrics.policy()))
                .compose(_ -> deploy(certificates(), metrics.certificates()))
                .compose(_ -> deployPeerCertificates())
                .compose(_ -> deploy(diagnosis(), metrics.diagnosis()))
                .compose(_ -> deploy(announcements(), metrics.events()))
                .compose(_ -> deploy(bypasses(), metrics.bypass()))
                .compose(_ -> vertx.deployVerticle(parts.source().summary(InstantSource.system())))
                .compose(_ -> warmUp())
                .compose(_ -> deploy(parts.source().verticle(clock, podsUse()), metrics.source()));
    }

    private PodReflectorAccess podsUse() {
        return parts.policy().policies().reserve() ? PodReflectorAccess.REQUIRED : PodReflectorAccess.OPTIONAL;
    }

    private Future<String> deploy(Deployable verticle, PartMetrics part) {
        return vertx.deployVerticle(new MeasuredVerticle(verticle, part));
    }

    private Future<?> deploy(Optional<Deployable> verticle, PartMetrics part) {
        return verticle.<Future<?>>map(present -> deploy(present, part)).orElseGet(() -> {
            part.answer(vertx);
            return Future.succeededFuture();
        });
    }

    private Optional<Deployable> certificates() {
        return parts.certificates().map(source -> source.verticle(clock));
    }

    private Future<?> deployPeerCertificates() {
        return parts.peerCertificates()
                .filter(_ -> peers.isPresent())
                .<Future<?>>map(source -> {
                    Topic.PEER_TLS_ACTIVE.publish(vertx, source.first());
                    return vertx.deployVerticle(source.verticle(clock));
                })
                .orElseGet(Future::succeededFuture);
    }

    /** Deploys the verticle that exchanges messages with other replicas. */
    private Future<?> deployPeers() {
        if (peers.isEmpty()) {
            metrics.peers().answer(vertx);
            return Future.succeededFuture();
        }
        PeerPortSettings settings = peers.get();
        return ListenFailedException.Listener.PEERS.named(
                deployWatched(
                        new PeerVerticle(settings, peerConnections, intake, parts.maxBodyBytes(), metrics.peers()),
                        metrics.peers()),
                new HttpServerOptions().setHost(settings.host()).setPort(settings.port()));
    }

    private Future<?> deployDecision() {
        return deployWatched(
                        new DecisionVerticle(
                                parts.policy(), replica, clock, parts.source().limit()),
                        metrics.ledger())
                .onSuccess(deployed -> decision = deployed);
    }

    private Optional<Deployable> diagnosis() {
        return parts.source()
                .reading()
                .filter(_ -> parts.diagnosisPause().isPositive())
                .map(cluster -> new DiagnosisVerticle(cluster, parts.diagnosisPause(), clock));
    }

    private Optional<Deployable> announcements() {
        return parts.events() ? parts.source().announcements(clock, metrics.events()) : Optional.empty();
    }

    /** Runs the warm-up. The watches start after it, so no review is decided before the end of the warm-up. */
    private Future<?> warmUp() {
        if (parts.warmUpReviews() == 0) {
            return Future.succeededFuture();
        }
        Promise<Integer> over = Promise.promise();
        WarmUp.run(
                        new WarmUpGateway(parts),
                        parts.policy().policies().base().chains().byHead().keySet(),
                        parts.warmUpReviews(),
                        LONGEST_WARM_UP)
                // The result must be handled on a thread of this Vert.x, because it arrives on a thread of the
                // warm-up's Vert.x.
                .onComplete(result -> vertx.runOnContext(_ -> over.handle(result)));
        return over.future();
    }

    /**
     * Returns the verticle that detects pods that bypassed the gateway. Returns empty without a Lease. The result of
     * the verticle is correct only if one process decides about all pods of a cluster, and only a Lease ensures this.
     */
    private Optional<Deployable> bypasses() {
        return replica.map(present -> new BypassVerticle(
                parts.policy(),
                new RecordFlushRequest(gateways),
                clock,
                Duration.ofMillis(present.times().longestCreate()),
                metrics.bypass()));
    }

    private Future<?> deployGateways() {
        GatewayDecisionRouter decision = new GatewayDecisionRouter(vertx, clock);
        ReviewWorkers workers = new ReviewWorkers(vertx, decision, observer(metrics.workers()), intake.abuse());
        Future<?> deployed = Future.succeededFuture();
        for (AdmissionMetrics gateway : metrics.gateways()) {
            deployed = deployed.compose(_ -> deployWatched(gateway(decision, workers, observer(gateway)), gateway)
                    .onSuccess(gateways::add));
        }
        return deployed;
    }

    private ReviewObserver observer(AdmissionMetrics part) {
        return new ReviewObservers(List.of(part, log));
    }

    private GatewayVerticle gateway(GatewayDecisionRouter decision, ReviewWorkers workers, ReviewObserver observer) {
        GatewayVerticleSettings settings = new GatewayVerticleSettings(
                parts.webhook(), parts.maxBodyBytes(), parts.clients(), parts.policy(), intake);
        return new GatewayVerticle(
                settings,
                new GatewayAdmissions(decision, new GatewayForwardRetries(vertx, observer), observer),
                workers,
                observer);
    }

    /**
     * Deploys metrics that answer scrapes on a worker thread, because the answer would block an event loop for too
     * long. For example, the metrics of the JVM read files of the kernel, and the metrics of the capacity add up all
     * nodes.
     */
    private Future<?> deployWorker(PartMetrics part) {
        return vertx.deployVerticle(
                new MeasuredVerticle(new VerticleBase() {}, part),
                new DeploymentOptions().setThreadingModel(ThreadingModel.WORKER));
    }

    private Future<?> deployManagement() {
        RecordFlushRequest records = new RecordFlushRequest(gateways);
        return ListenFailedException.Listener.MANAGEMENT.named(
                deploy(
                        new ManagementVerticle(
                                new ManagementPortSettings(
                                        parts.management(),
                                        managementConnections,
                                        parts.policy(),
                                        parts.certificates().map(CertificateSource::first),
                                        clock,
                                        metrics.management(),
                                        parts.names(),
                                        parts.explainer(),
                                        parts.source().access(),
                                        parts.source().rights(new GatewayPartsRights(parts)::in)),
                                new Scrape(metrics.names(), records),
                                records,
                                watchedLoops),
                        metrics.management()),
                parts.management());
    }

    private Future<String> deployWatched(Deployable verticle, PartMetrics part) {
        return deploy(verticle, part).onSuccess(watchedLoops::add);
    }

    /** Returns the Vert.x instance whose event bus the verticles of this gateway use. */
    public Vertx vertx() {
        return vertx;
    }

    /**
     * Returns a future that succeeds when every verticle has handled the messages that were sent to it before this
     * call. A page of pods may still be in progress, because the verticle that owns the ledger applies a page in
     * several turns of its event loop.
     */
    public Future<?> settled() {
        return EventBusLiveness.ask(vertx, watchedLoops);
    }

    /**
     * Returns a future that succeeds when every decision that was answered before this call is published and logged, or
     * when the time limit has passed.
     */
    public Future<?> recorded() {
        return new RecordFlushRequest(gateways).flush(vertx).compose(_ -> logged.settled(LAST_LINES));
    }

    /**
     * Makes this gateway not ready, and hands the Lease to another replica if this replica holds it. The gateway still
     * serves reviews for {@code untilNobodyComes}, because clients need that time to switch to other replicas. It
     * closes each connection after its answer. In availability mode without other replicas, this method does nothing,
     * because no other replica could decide.
     */
    public Future<?> leave(Duration untilNobodyComes) {
        boolean isAlone = parts.policy().policies().reserve() && !hasOthers;
        if (isAlone || untilNobodyComes.isZero()) {
            return Future.succeededFuture();
        }
        Topic.LEAVING.publish(vertx, new Topic.Leaving());
        return vertx.timer(untilNobodyComes.toMillis(), TimeUnit.MILLISECONDS);
    }

    /**
     * Answers the reviews in progress, makes clients send new reviews to another replica, hands the Lease to another
     * replica, and then stops everything.
     */
    public Future<?> close() {
        Topic.STOPPING.publish(vertx, new Topic.Stopping());
        return Future.join(gateways.stream().map(vertx::undeploy).toList())
                .transform(_ -> vertx.undeploy(decision))
                .transform(_ -> logged.settled(LAST_LINES))
                .transform(_ -> vertx.close())
                .onComplete(_ -> parts.source().release());
    }
}
