package dev.sluice.management;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.api.ApiAnswer;
import dev.sluice.api.ApiEventEncoder;
import dev.sluice.api.ApiJson;
import dev.sluice.api.BypassApi;
import dev.sluice.api.CapacityReport;
import dev.sluice.api.DecisionsApi;
import dev.sluice.api.DiagnosisApi;
import dev.sluice.api.OpenApi;
import dev.sluice.bus.ClusterUsageReply;
import dev.sluice.bus.ClusterUsageReply.UsageQuestion;
import dev.sluice.bus.EventBusLiveness;
import dev.sluice.bus.RecordFlushRequest;
import dev.sluice.bus.Service;
import dev.sluice.bus.Topic;
import dev.sluice.bus.WatchStatusMessage;
import dev.sluice.log.StackTraceLimit;
import dev.sluice.management.access.AccessGate;
import dev.sluice.management.access.AccessQuestions;
import dev.sluice.metrics.ScrapeFormat;
import dev.sluice.metrics.parts.Scrape;
import dev.sluice.record.StreamEvent;
import dev.sluice.tls.ServerTls;
import dev.sluice.webhook.intake.ConnectionTracking;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.VerticleBase;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The management server. It serves {@code /livez}, {@code /readyz}, {@code /metrics} and the API, and lists them at
 * {@code /}.
 */
public final class ManagementVerticle extends VerticleBase {

    private static final Logger LOG = LoggerFactory.getLogger(ManagementVerticle.class);

    private static final String DECISIONS = "/api/v1/decisions";
    private static final String PLAIN = "text/plain; charset=utf-8";

    /**
     * The maximum number of bytes in answers that clients have not read yet. An answer about the capacity of a large
     * cluster has several megabytes. The limit is not reached if clients read their answers.
     */
    private static final long MOST_UNREAD_BYTES = 16 * 1024 * 1024;

    private final ManagementSettings settings;
    private final StackTraceLimit stacks = new StackTraceLimit();
    private long unreadBytes;
    private @Nullable HttpServer server;
    private final Scrape scrape;
    private final RecordFlushRequest records;
    private final List<String> watched;
    private final Readiness readiness;
    private final DecisionsApi decisions;
    private final DiagnosisApi diagnosis;
    private final BypassApi bypassed = new BypassApi();
    private final CalledNames names;
    private final PathIndex index = new PathIndex();
    private final GzipBody gzip = new GzipBody();
    private boolean canWrite;
    private final SharedAnswers<String> scrapes = new SharedAnswers<>(1);
    private final SharedAnswers<ApiAnswer> capacities = new SharedAnswers<>(1);

    /**
     * Creates the server.
     *
     * @param watched the deployments whose event loops must respond, so that {@code /livez} succeeds
     */
    public ManagementVerticle(
            ManagementSettings settings, Scrape scrape, RecordFlushRequest records, List<String> watched) {
        this.settings = settings;
        this.scrape = scrape;
        this.records = records;
        this.watched = List.copyOf(watched);
        this.readiness = new Readiness(settings.clock(), settings.policy(), settings.tls());
        this.decisions = new DecisionsApi(settings.clock());
        this.diagnosis = new DiagnosisApi(settings.clock());
        this.names = new CalledNames(settings.names());
    }

    @Override
    public Future<?> start() {
        EventStream events = new EventStream(new ApiEventEncoder(decisions.epoch()), context, settings.metrics()::miss);
        subscribe();
        subscribe(events);
        PeerPages peers = new PeerPages(vertx);
        Topic.REPLICATION.subscribe(vertx, status -> {
            readiness.replication(status);
            peers.update(status);
        });
        ReplicaStatusPage status = new ReplicaStatusPage(
                settings, readiness, settings.rights().map(asked -> new RightsCheck(context, settings.clock(), asked)));
        status.listen(vertx);
        RateLimitedApi api = new RateLimitedApi(vertx, records, decisions, diagnosis, peers, status);
        Service.OWN_DECISIONS.serveLater(vertx, api::ownDecisions);
        Service.MANAGEMENT_TLS.serve(vertx, this::renew);
        return vertx.createHttpServer(settings.server())
                .connectionHandler(connection -> ConnectionTracking.track(connection, settings.connections()))
                .invalidRequestHandler(ManagementVerticle::refuseUnreadable)
                .requestHandler(router(api, events))
                .listen()
                .onSuccess(listening -> server = listening);
    }

    /** Refuses a request that Vert.x cannot read, for example because its target or its headers are too long. */
    private static void refuseUnreadable(HttpServerRequest request) {
        var _ = BrowserSafety.protect(request.response());
        HttpServerRequest.DEFAULT_INVALID_REQUEST_HANDLER.handle(request);
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
        vertx.setPeriodic(EventStream.HEARTBEAT_MILLIS, _ -> events.heartbeat());
        Topic.DECISIONS.subscribe(vertx, batch -> decisions.keep(batch).forEach(events::add));
        Topic.SNAPSHOTS.subscribe(vertx, snapshot -> {
            readiness.snapshot(snapshot);
            events.add(new StreamEvent.CapacityChanged(snapshot.generation(), snapshot.size()));
        });
        Topic.STOPPING.subscribe(vertx, signal -> {
            readiness.stopping(signal);
            events.end();
        });
    }

    private Router router(RateLimitedApi api, EventStream events) {
        Router router = Router.router(vertx);
        router.route().handler(this::loadWriter);
        router.route().handler(this::withReadableQuery);
        settings.access()
                .map(this::check)
                .ifPresentOrElse(
                        check -> router.route().handler(check::check),
                        () -> router.route().handler(this::calledByItsName));
        router.routeWithRegex(Pattern.quote("/")).useNormalizedPath(false).handler(withoutParameters(this::index));
        get(router, "/livez", "whether every event loop responds", this::livez);
        get(
                router,
                "/readyz",
                "whether this gateway can have reviews decided; ?verbose says why not, and more",
                this::readyz);
        get(router, "/metrics", "the metrics, for Prometheus", this::metrics);
        get(
                router,
                "/api/v1/capacity",
                "what the nodes offer, and what of it is taken",
                withoutParameters(this::capacity));
        get(
                router,
                DECISIONS,
                "the last decisions of all replicas; /api/v1/decisions/UID is one of them",
                context -> show(context, api.decisions(context.request())));
        get(
                router,
                DECISIONS + "/summary",
                "how many pods were changed, refused or waited, by namespace and chain",
                context -> show(
                        context, api.summary(context.request(), settings.clock().instant())));
        router.routeWithRegex(Pattern.quote(DECISIONS) + "/([^/]+)")
                .useNormalizedPath(false)
                .handler(only(withoutParameters(
                        context -> show(context, api.decision(String.valueOf(context.pathParam("param0")))))));
        get(
                router,
                "/api/v1/events",
                "decisions of this replica and changes of capacity as they come",
                withoutParameters(
                        context -> events.open(context.request()).ifPresent(tooMany -> show(context, tooMany))));
        get(
                router,
                "/api/v1/bypassed",
                "GPU pods that no replica decided about",
                withoutParameters(context -> show(context, bypassed.answer())));
        get(
                router,
                "/api/v1/diagnosis",
                "why GPU pods do not run, if management.diagnosisSeconds is set",
                context -> show(context, api.diagnosis(context.request())));
        get(
                router,
                "/api/v1/status",
                "what this replica knows of itself: policy, watch, certificates, rights",
                withoutParameters(context -> show(context, api.status())));
        get(
                router,
                "/api/v1/openapi.json",
                "the OpenAPI document of the paths below /api/v1",
                context -> show(context, OpenApi.DOCUMENT));
        router.route().handler(this::notFound);
        // Vert.x itself refuses targets that are not paths, and HTTP/1.1 requests without a Host header.
        router.errorHandler(404, this::notFound);
        router.errorHandler(400, context -> refuse(context, 400, "the request is broken"));
        router.errorHandler(500, this::notMade);
        return router;
    }

    /**
     * Runs {@code next} when the JSON writer is loaded. A worker thread loads the writer for the first answer that
     * needs it.
     */
    private void withWriter(Runnable next) {
        if (canWrite) {
            next.run();
            return;
        }
        vertx.executeBlocking(
                        () -> {
                            ApiJson.load();
                            return true;
                        },
                        /* ordered= */ true)
                .onComplete(_ -> {
                    canWrite = true;
                    next.run();
                });
    }

    private void loadWriter(RoutingContext context) {
        if (isForPrograms(context)) {
            withWriter(context::next);
        } else {
            context.next();
        }
    }

    private void withReadableQuery(RoutingContext context) {
        try {
            var _ = context.request().params();
        } catch (IllegalArgumentException _) {
            refuse(context, 400, "the query cannot be decoded");
            return;
        }
        context.next();
    }

    /**
     * Refuses a request for another host. Probes are answered in any case, because their answers contain nothing about
     * the cluster. If clients need a token, the header is not checked, because a web page has no token.
     */
    private void calledByItsName(RoutingContext context) {
        HttpServerRequest request = context.request();
        if (request.headers().getAll("Host").size() > 1) {
            refuse(context, 400, "the request has more than one header Host");
        } else if ((names.include(request.getHeader("Host"), request.authority()) && names.includeTarget(request.uri()))
                || ManagementAuthHandler.limitToProbe(context)) {
            context.next();
        } else {
            refuse(context, HttpResponseStatus.MISDIRECTED_REQUEST.code(), CalledNames.REFUSAL);
        }
    }

    private ManagementAuthHandler check(AccessQuestions questions) {
        AccessGate gate = new AccessGate(
                questions,
                settings.clock(),
                question -> Thread.ofVirtual().name("access").start(question),
                task -> context.runOnContext(_ -> task.run()));
        return new ManagementAuthHandler(
                gate, settings.metrics()::refuse, (context, answer) -> withWriter(() -> show(context, answer.get())));
    }

    /** Adds a path. {@code answers} is what the list of paths says about it. */
    private void get(Router router, String path, String answers, Handler<RoutingContext> page) {
        index.add(path, answers);
        router.routeWithRegex(Pattern.quote(path)).useNormalizedPath(false).handler(only(page));
    }

    private Handler<RoutingContext> only(Handler<RoutingContext> page) {
        return context -> {
            if (context.request().method().equals(HttpMethod.GET)) {
                page.handle(context);
            } else {
                context.response().putHeader("Allow", "GET");
                refuse(context, 405, "only GET is answered here");
            }
        };
    }

    private void index(RoutingContext context) {
        HttpMethod method = context.request().method();
        if (!method.equals(HttpMethod.GET) && !method.equals(HttpMethod.HEAD)) {
            context.response().putHeader("Allow", "GET, HEAD");
            refuse(context, 405, "only GET and HEAD are answered here");
            return;
        }
        PathIndex.IndexPage page =
                index.page(context.request().getHeader("Accept"), path -> ManagementAuthHandler.mayRead(context, path));
        answer(context, 200, page.contentType(), page.body());
    }

    private Handler<RoutingContext> withoutParameters(Handler<RoutingContext> page) {
        return context -> ApiAnswer.unknownParameter(context.queryParams().names(), List.of())
                .ifPresentOrElse(sentence -> refuse(context, 400, sentence), () -> page.handle(context));
    }

    private void notFound(RoutingContext context) {
        refuse(context, 404, "path not found");
    }

    private void notMade(RoutingContext context) {
        Throwable fault = context.failure();
        (fault == null ? LOG.atError() : stacks.add(LOG.atError(), fault))
                .log("an answer of the management port could not be made");
        refuse(context, 500, "the answer could not be made; the gateway's log says why");
    }

    private void livez(RoutingContext context) {
        EventBusLiveness.ask(vertx, watched)
                .onSuccess(_ -> answer(context, 200, PLAIN, "ok\n"))
                .onFailure(_ -> answer(context, 503, PLAIN, "an event loop has not answered for a second\n"));
    }

    private void readyz(RoutingContext context) {
        int status = readiness.isReady() ? 200 : 503;
        boolean verbose = context.request().params().contains("verbose") && !ManagementAuthHandler.isProbeOnly(context);
        answer(context, status, PLAIN, verbose ? readiness.verbose() : readiness.brief());
    }

    private void metrics(RoutingContext context) {
        ScrapeFormat format = ScrapeFormat.accepted(context.request().getHeader("Accept"));
        scrapes.ask(vertx, format.name(), () -> scrape.ask(vertx).map(all -> new String(format.of(all), UTF_8)))
                .onSuccess(text -> answerCompressed(context, 200, format.contentType(), text))
                .onFailure(fault -> {
                    stacks.add(LOG.atError(), fault).log("the metrics could not be written");
                    answer(context, 500, PLAIN, "the numbers could not be written; the gateway's log says why\n");
                });
    }

    private void capacity(RoutingContext context) {
        if (readiness.cluster().isEmpty()) {
            refuse(context, 503, "the cluster has not been listed yet");
            return;
        }
        capacities
                .ask(vertx, "capacity", this::capacityNow)
                .onSuccess(made -> show(context, made))
                .onFailure(_ -> refuse(context, 503, "the owner of the ledger has not answered in time"));
    }

    /** Returns true for paths below /api/, which programs read. People and probes read the other paths. */
    private static boolean isForPrograms(RoutingContext context) {
        return String.valueOf(context.request().path()).startsWith("/api/");
    }

    private void refuse(RoutingContext context, int status, String sentence) {
        if (isForPrograms(context)) {
            String title = HttpResponseStatus.valueOf(status).reasonPhrase();
            show(context, ApiAnswer.problem(status, title, sentence));
        } else {
            answer(context, status, PLAIN, sentence + "\n");
        }
    }

    private void show(RoutingContext context, Future<ApiAnswer> coming) {
        coming.onSuccess(made -> show(context, made));
    }

    private void show(RoutingContext context, ApiAnswer made) {
        made.retryAfterSeconds()
                .ifPresent(seconds -> context.response().putHeader("Retry-After", Integer.toString(seconds)));
        answerCompressed(context, made.status(), made.contentType(), made.json());
    }

    /**
     * Creates the capacity report. A worker thread encodes it, because the report of a large cluster has several
     * megabytes.
     */
    private Future<ApiAnswer> capacityNow() {
        return Service.USAGE
                .ask(vertx, new UsageQuestion())
                .map(this::report)
                .compose(report -> vertx.executeBlocking(() -> ApiAnswer.capacity(report), /* ordered= */ false));
    }

    private CapacityReport report(ClusterUsageReply usage) {
        boolean known = usage.podsKnown() && !readiness.isWithheld(WatchStatusMessage.ObjectKind.PODS);
        CapacityReport.ClusterUse taken = known
                ? new CapacityReport.ClusterUse.UseKnown(usage.byNode(), usage.unplaced())
                : new CapacityReport.ClusterUse.UseUnknown();
        CapacityReport.LeftOut leftOut = new CapacityReport.LeftOut(
                readiness.unreadable(WatchStatusMessage.ObjectKind.NODES),
                readiness.unreadable(WatchStatusMessage.ObjectKind.PODS));
        return CapacityReport.of(usage.cluster(), taken, CapacityReport.Selection.ALL)
                .without(leftOut);
    }

    /** Answers in gzip if the client accepts that. If too many answers wait for it, the client gets the plain one. */
    private void answerCompressed(RoutingContext context, int status, String contentType, String body) {
        if (!GzipBody.isWanted(context.request(), body)) {
            answer(context, status, contentType, body);
            return;
        }
        gzip.of(vertx, body)
                .onSuccess(made -> {
                    context.response().putHeader("Content-Encoding", "gzip");
                    answer(context, status, contentType, made);
                })
                .onFailure(_ -> answer(context, status, contentType, body));
    }

    private void answer(RoutingContext context, int status, String contentType, String body) {
        answer(context, status, contentType, Buffer.buffer(body));
    }

    private void answer(RoutingContext context, int status, String contentType, Buffer body) {
        if (unreadBytes + body.length() > MOST_UNREAD_BYTES) {
            // The answer has no sentence, because a sentence would need memory as well.
            var _ = context.request().connection().close();
            return;
        }
        unreadBytes += body.length();
        HttpServerResponse response =
                BrowserSafety.protect(context.response()).setStatusCode(status).putHeader("Content-Type", contentType);
        (context.request().method().equals(HttpMethod.HEAD)
                        ? response.putHeader("Content-Length", Integer.toString(body.length()))
                                .end()
                        : response.end(body))
                .onComplete(_ -> unreadBytes -= body.length());
    }
}
