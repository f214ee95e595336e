package dev.sluice.management;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.api.ApiAnswer;
import dev.sluice.api.ApiEventEncoder;
import dev.sluice.api.ApiJson;
import dev.sluice.api.BypassApi;
import dev.sluice.api.DecisionsApi;
import dev.sluice.api.DiagnosisApi;
import dev.sluice.api.OpenApi;
import dev.sluice.bus.EventBusLiveness;
import dev.sluice.bus.RecordFlushRequest;
import dev.sluice.bus.RequestDeadline;
import dev.sluice.bus.Service;
import dev.sluice.bus.Topic;
import dev.sluice.kube.client.OwnPodName;
import dev.sluice.log.StackTraceLimit;
import dev.sluice.management.ManifestExplainer.ExplainQuestion;
import dev.sluice.management.StreamQuery.FleetWish;
import dev.sluice.management.access.AccessGate;
import dev.sluice.management.access.AccessQuestions;
import dev.sluice.management.access.AccessRight;
import dev.sluice.metrics.ScrapeFormat;
import dev.sluice.metrics.parts.Scrape;
import dev.sluice.record.StreamEvent;
import dev.sluice.replication.Member;
import dev.sluice.tls.ServerTls;
import dev.sluice.webhook.intake.BodyLimits;
import dev.sluice.webhook.intake.BodyPiecePool;
import dev.sluice.webhook.intake.ClientAbuseCounter;
import dev.sluice.webhook.intake.ConnectionTracking;
import dev.sluice.webhook.intake.JsonContent;
import dev.sluice.webhook.intake.MemoryBudget;
import dev.sluice.webhook.intake.ReviewBody;
import dev.sluice.webhook.intake.SharedLimits;
import dev.sluice.webhook.intake.UnreadBody;
import dev.sluice.webhook.intake.WholeBody;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.MultiMap;
import io.vertx.core.VerticleBase;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The management server. It serves {@code /livez}, {@code /readyz}, {@code /metrics}, the API and the console, and
 * lists them at {@code /}.
 */
public final class ManagementVerticle extends VerticleBase {

    private static final Logger LOG = LoggerFactory.getLogger(ManagementVerticle.class);

    private static final String DECISIONS = "/api/v1/decisions";

    static final String CAPACITY = "/api/v1/capacity";

    static final String FLEET = "/api/v1/fleet";

    static final String FLOW = "/api/v1/flow";

    static final String EVENTS = "/api/v1/events";

    static final String EXPLAIN = "/api/v1/explain";

    private static final List<String> EXPLAIN_PARAMETERS = List.of("namespace", "text");

    /**
     * The largest body of a request to explain a manifest, in bytes. It is several times the size of usual manifests.
     * The parsed tree takes up to forty times as much memory, so only one request is answered at a time.
     */
    static final int MOST_EXPLAIN_BYTES = 256 * 1_024;

    /**
     * The size of the heap from which the memory limit for these bodies is computed. The limit allows eight of the
     * largest bodies at a time.
     */
    private static final long EXPLAIN_HEAP = 128L * 1_024 * 1_024;

    /** The longest time that a client may take to send such a body. */
    private static final Duration EXPLAIN_BODY_TIME = Duration.ofSeconds(10);

    /** The key under which a request stores the namespace of the tenant whose request is being answered. */
    private static final String UNDER_WAY = ManagementVerticle.class.getName() + ".question";

    private static final String PLAIN = "text/plain; charset=utf-8";

    /**
     * The maximum number of bytes in answers that clients have not read yet. An answer about the capacity of a large
     * cluster has several megabytes. The limit is not reached if clients read their answers.
     */
    private static final long MOST_UNREAD_BYTES = 16 * 1024 * 1024;

    /**
     * The length of an answer, in bytes, up to which it is sent even if these bytes are used up. The answers to probes
     * are as short, so clients that do not read do not keep probes from their answers. All connections together can
     * leave 5 MiB of such answers unread.
     */
    private static final int ALWAYS_SENT_BYTES = 512;

    /** The share of these bytes for answers to tenants. If it is exceeded, only connections of tenants are closed. */
    private static final long MOST_UNREAD_BYTES_OF_TENANTS = MOST_UNREAD_BYTES / 2;

    private final ManagementSettings settings;
    private final StackTraceLimit stacks = new StackTraceLimit();
    private long unreadBytes;
    private long unreadBytesOfTenants;
    private @Nullable HttpServer server;
    private final Scrape scrape;
    private final RecordFlushRequest records;
    private final List<String> watched;
    private final Readiness readiness;
    private final DecisionsApi decisions;
    private final DiagnosisApi diagnosis;
    private final BypassApi bypassed = new BypassApi();
    private final TenantQuestions tenants;
    private final CalledNames names;
    private final PathIndex index = new PathIndex();
    private final GzipBody gzip = new GzipBody();
    private boolean canWrite;
    private final SharedAnswers<String> scrapes = new SharedAnswers<>(1);

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
        this.tenants = new TenantQuestions(settings.clock());
        this.names = new CalledNames(settings.names());
    }

    @Override
    public Future<?> start() {
        LedgerCopies ledger = new LedgerCopies(vertx);
        CapacityApi capacity = new CapacityApi(vertx, readiness, settings.clock(), ledger);
        FleetApi fleet = new FleetApi(vertx, capacity, settings.clock(), decisions.epoch());
        EventStream events = new EventStream(
                new ApiEventEncoder(decisions.epoch()),
                context,
                settings.metrics()::miss,
                new DecidingReplica(OwnPodName.hostName(), /* decides= */ true, Optional.empty()),
                fleet::since,
                settings.access().isPresent());
        capacity.start();
        subscribe();
        subscribe(events);
        PeerPages peers = new PeerPages(vertx);
        Topic.REPLICATION.subscribe(vertx, status -> {
            readiness.replication(status);
            peers.update(status);
            events.deciding(known -> known.heldBy(status.holder().map(Member::identity)));
        });
        ReplicaStatusPage status = new ReplicaStatusPage(
                settings, readiness, settings.rights().map(asked -> new RightsCheck(context, settings.clock(), asked)));
        status.listen(vertx);
        RateLimitedApi api = new RateLimitedApi(vertx, records, decisions, diagnosis, peers, status);
        Optional<ExplainApi> explanations =
                settings.explainer().map(explainer -> new ExplainApi(vertx, explainer, settings.policy(), ledger));
        explanations.ifPresent(ExplainApi::subscribe);
        Service.OWN_DECISIONS.serveLater(vertx, api::ownDecisions);
        Service.OWN_STATUS.serveLater(vertx, api::ownStatus);
        Service.MANAGEMENT_TLS.serve(vertx, this::renew);
        return vertx.createHttpServer(settings.server())
                .connectionHandler(connection -> ConnectionTracking.track(connection, settings.connections()))
                .invalidRequestHandler(ManagementVerticle::refuseUnreadable)
                .requestHandler(router(api, new ClusterApi(capacity, fleet, events), explanations))
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
        Topic.DECISION_GATE.subscribe(vertx, gate -> events.deciding(known -> known.decides(gate.decidesHere())));
        vertx.setPeriodic(EventStream.HEARTBEAT_MILLIS, _ -> events.heartbeat());
        Topic.DECISIONS.subscribe(vertx, batch -> events.add(decisions.keep(batch)));
        Topic.SNAPSHOTS.subscribe(vertx, snapshot -> {
            readiness.snapshot(snapshot);
            events.add(List.of(new StreamEvent.CapacityChanged(snapshot.generation(), snapshot.size())));
        });
        Topic.STOPPING.subscribe(vertx, signal -> {
            readiness.stopping(signal);
            events.end();
        });
    }

    /** These parts show the state of the cluster. */
    private record ClusterApi(CapacityApi capacity, FleetApi fleet, EventStream events) {}

    private Router router(RateLimitedApi api, ClusterApi cluster, Optional<ExplainApi> explanations) {
        Router router = Router.router(vertx);
        router.route().handler(ManagementVerticle::keepBody);
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
        addConsole(router);
        get(
                router,
                CAPACITY,
                "what the nodes offer, and what of it is taken",
                withoutParameters(context -> show(context, cluster.capacity().capacity())));
        get(
                router,
                CAPACITY + "/history",
                "what of the devices was taken in the last hours",
                ofNamespace(context -> show(
                        context,
                        cluster.capacity()
                                .history(ManagementAuthHandler.tenant(context).isPresent()))));
        get(
                router,
                CAPACITY + "/holders",
                "which namespaces hold most of each device",
                ofNamespace(
                        context -> show(context, cluster.capacity().holders(ManagementAuthHandler.tenant(context)))));
        get(
                router,
                FLEET,
                "the GPU nodes and what of their devices is taken, for programs that show all of them",
                atItsPace(context -> fleet(context, cluster.fleet())));
        router.routeWithRegex(Pattern.quote(FLEET) + "/nodes/([^/]+)")
                .useNormalizedPath(false)
                .handler(only(withoutParameters(context ->
                        show(context, cluster.capacity().node(String.valueOf(context.pathParam("param0")))))));
        get(
                router,
                DECISIONS,
                "the last decisions of all replicas; /api/v1/decisions/UID is one of them",
                atItsPace(context -> show(
                        context,
                        api.decisions(
                                context.request(),
                                ManagementAuthHandler.tenant(context).isPresent()))));
        get(
                router,
                DECISIONS + "/summary",
                "how many pods were changed, refused or waited, by namespace and chain",
                atItsPace(context -> show(
                        context,
                        api.summary(
                                context.request(),
                                settings.clock().instant(),
                                ManagementAuthHandler.tenant(context).isPresent()))));
        get(
                router,
                FLOW,
                "which resources were exchanged, and how decisions ended, of those that are kept",
                atItsPace(context -> show(
                        context,
                        api.flow(
                                context.request(),
                                settings.clock().instant(),
                                ManagementAuthHandler.tenant(context).isPresent()))));
        BodyLimits bodies = bodyLimits();
        explanations.ifPresent(explained -> {
            index.add(EXPLAIN, "what would become of the pods in the body; by POST");
            router.routeWithRegex(Pattern.quote(EXPLAIN))
                    .useNormalizedPath(false)
                    .handler(onlyPost(atItsPace(context -> explain(context, bodies, api, explained))));
        });
        router.routeWithRegex(Pattern.quote(DECISIONS) + "/([^/]+)")
                .useNormalizedPath(false)
                .handler(only(withoutParameters(
                        context -> show(context, api.decision(String.valueOf(context.pathParam("param0")))))));
        get(
                router,
                EVENTS,
                "decisions of this replica and changes of capacity as they come",
                atItsPace(context -> stream(context, cluster.events())));
        get(
                router,
                "/api/v1/bypassed",
                "GPU pods that no replica decided about",
                withoutParameters(context -> show(context, bypassed.answer())));
        get(
                router,
                "/api/v1/diagnosis",
                "why GPU pods do not run, if management.diagnosisSeconds is set",
                atItsPace(context ->
                        show(context, api.diagnosis(context.request(), ManagementAuthHandler.tenant(context)))));
        get(
                router,
                "/api/v1/status",
                "what this replica knows of itself: policy, watch, certificates, rights",
                withoutParameters(context -> show(context, api.status())));
        get(
                router,
                "/api/v1/replicas",
                "what all replicas say about themselves",
                withoutParameters(context -> show(context, api.replicas())));
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
        return new ManagementAuthHandler(
                () -> new AccessGate(
                        questions,
                        settings.clock(),
                        question -> Thread.ofVirtual().name("access").start(question),
                        task -> context.runOnContext(_ -> task.run())),
                settings.metrics()::refuse,
                (context, answer) -> withWriter(() -> show(context, answer.get())));
    }

    private void addConsole(Router router) {
        ConsolePages console = new ConsolePages(
                vertx,
                this::send,
                (context, status) -> refuse(
                        context, status, status == 405 ? "only GET and HEAD are answered here" : "path not found"));
        index.add(ConsolePages.PATH, "the console, for a browser");
        router.routeWithRegex(ConsolePages.ROUTE).useNormalizedPath(false).handler(console::answer);
    }

    /** Adds a path. {@code answers} is its description in the list of paths. */
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

    private Handler<RoutingContext> onlyPost(Handler<RoutingContext> page) {
        return context -> {
            if (context.request().method().equals(HttpMethod.POST)) {
                page.handle(context);
            } else {
                context.response().putHeader("Allow", "POST");
                refuse(context, 405, "only POST is answered here");
            }
        };
    }

    /** Keeps the body of a request until somebody reads it or refuses the request. */
    private static void keepBody(RoutingContext context) {
        if (context.request().method().equals(HttpMethod.POST)) {
            var _ = context.request().pause();
        }
        context.next();
    }

    private BodyLimits bodyLimits() {
        ClientAbuseCounter abuse = new ClientAbuseCounter();
        return new BodyLimits(
                vertx,
                context,
                MOST_EXPLAIN_BYTES,
                new SharedLimits(
                        settings.connections(),
                        MemoryBudget.of(EXPLAIN_HEAP, MOST_EXPLAIN_BYTES, abuse),
                        new BodyPiecePool(),
                        abuse));
    }

    /**
     * Handles the request of a tenant if the limits of its namespace allow that now. The request counts until its
     * answer was created and written, even if the client has closed the connection. Requests of other clients have no
     * limit here.
     */
    private Handler<RoutingContext> atItsPace(Handler<RoutingContext> page) {
        return context -> {
            Optional<String> tenant = ManagementAuthHandler.tenant(context);
            if (tenant.isEmpty()) {
                page.handle(context);
            } else if (tenants.begin(tenant.get())) {
                context.put(UNDER_WAY, tenant.get());
                page.handle(context);
            } else {
                show(
                        context,
                        FailedQuestion.tooMany("the namespace " + tenant.get()
                                + " asks more than it may at once, or in a second; ask again in a second"));
            }
        };
    }

    private void endQuestion(RoutingContext context) {
        @Nullable String namespace = context.remove(UNDER_WAY);
        if (namespace != null) {
            tenants.end(namespace);
        }
    }

    private void explain(RoutingContext context, BodyLimits bodies, RateLimitedApi api, ExplainApi explanations) {
        HttpServerRequest request = context.request();
        Optional<String> sentence =
                ApiAnswer.unknownParameter(context.queryParams().names(), EXPLAIN_PARAMETERS);
        List<String> namespaces = request.params().getAll("namespace");
        if (sentence.isPresent()) {
            refuse(context, 400, sentence.get());
        } else if (namespaces.size() > 1 || request.params().getAll("text").size() > 1) {
            refuse(context, 400, RateLimitedApi.REPEATED);
        } else if (!namespaces.stream().allMatch(AccessRight::isNamespace)) {
            refuse(context, 400, "no namespace can have the name in the query");
        } else if (!JsonContent.is(request.getHeader("Content-Type"))) {
            refuse(context, 415, "the content type must be application/json; kubectl -o json writes it");
        } else if (request.getHeader("Content-Encoding") != null) {
            refuse(context, 415, "the body must not be compressed");
        } else if (readiness.cluster().isEmpty()) {
            refuse(context, 503, "the cluster has not been listed yet");
        } else {
            collect(
                    context,
                    bodies,
                    json -> show(
                            context,
                            api.explanation(
                                    ManagementAuthHandler.tenant(context).isPresent(),
                                    () -> explanations.explain(
                                            new ExplainQuestion(
                                                    json,
                                                    namespaces.stream().findFirst(),
                                                    ManagementAuthHandler.tenant(context)
                                                            .isPresent(),
                                                    Objects.equals(request.getParam("text"), "true")),
                                            readiness.cluster().orElseThrow()))));
        }
    }

    private void collect(RoutingContext context, BodyLimits bodies, Consumer<String> next) {
        ReviewBody.collect(
                context.request(), bodies, RequestDeadline.in(EXPLAIN_BODY_TIME), new ReviewBody.BodyOutcome() {
                    @Override
                    public void complete(WholeBody body) {
                        Optional<String> json = body.take().map(bytes -> new String(bytes.join(), UTF_8));
                        body.release();
                        json.ifPresent(next);
                    }

                    @Override
                    public void refused(int status, String sentence) {
                        refuse(context, status, sentence);
                    }
                });
        context.response().closeHandler(_ -> {
            if (!context.request().isEnded()) {
                endQuestion(context);
            }
        });
        var _ = context.request().resume();
    }

    private Handler<RoutingContext> withoutParameters(Handler<RoutingContext> page) {
        return withParameters(List.of(), page);
    }

    /** Refuses a query that has another parameter than these, or one of them more than once. */
    private Handler<RoutingContext> withParameters(List<String> known, Handler<RoutingContext> page) {
        return context -> {
            MultiMap parameters = context.queryParams();
            Optional<String> unknown = ApiAnswer.unknownParameter(parameters.names(), known);
            if (unknown.isPresent()) {
                refuse(context, 400, unknown.get());
            } else if (RateLimitedApi.isRepeated(parameters)) {
                refuse(context, 400, RateLimitedApi.REPEATED);
            } else {
                page.handle(context);
            }
        };
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

    /** The answer is about the whole cluster. The namespace in the query only shows which right the client uses. */
    private Handler<RoutingContext> ofNamespace(Handler<RoutingContext> page) {
        return atItsPace(withParameters(List.of("namespace"), page));
    }

    /** Answers with the whole fleet, or with nothing if the client has its newest version. */
    private void fleet(RoutingContext context, FleetApi fleet) {
        labels(context, List.of("namespace", FleetApi.LABELS), labels -> {
            if (readiness.cluster().isEmpty()) {
                refuse(context, 503, "the cluster has not been listed yet");
                return;
            }
            fleet.whole(labels)
                    .onSuccess(reply -> {
                        String tag = '"' + reply.version() + '"';
                        context.response().putHeader("ETag", tag);
                        if (tag.equals(context.request().getHeader("If-None-Match"))) {
                            BrowserSafety.protect(context.response())
                                    .setStatusCode(304)
                                    .end();
                            endQuestion(context);
                        } else {
                            show(context, reply.whole().orElseThrow());
                        }
                    })
                    .onFailure(cause -> show(context, FailedQuestion.answer(cause)));
        });
    }

    /**
     * Starts a stream of events. For the limits of a tenant, the request ends at once, because the stream lasts long.
     */
    private void stream(RoutingContext context, EventStream events) {
        labels(context, StreamQuery.PARAMETERS, labels -> {
            MultiMap parameters = context.request().params();
            Optional<FleetWish> fleet =
                    Optional.ofNullable(parameters.get("fleet")).map(version -> new FleetWish(labels, version));
            events.open(
                            context.request(),
                            new StreamQuery(
                                    Optional.ofNullable(parameters.get("namespace")),
                                    ManagementAuthHandler.tenant(context).isPresent(),
                                    fleet))
                    .ifPresentOrElse(tooMany -> show(context, tooMany), () -> endQuestion(context));
        });
    }

    /** Runs {@code page} with the labels in the query, if the query has no other parameters than these. */
    private void labels(RoutingContext context, List<String> parameters, Consumer<List<String>> page) {
        withParameters(parameters, _ -> {
                    Optional<List<String>> labels =
                            FleetApi.labels(context.request().getParam(FleetApi.LABELS));
                    if (labels.isEmpty()) {
                        refuse(context, 400, FleetApi.WRONG_LABELS);
                    } else if (!labels.get().isEmpty()
                            && ManagementAuthHandler.tenant(context).isPresent()) {
                        refuse(context, 403, "only those who may read about all namespaces may choose labels of nodes");
                    } else {
                        page.accept(labels.get());
                    }
                })
                .handle(context);
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
     * Compresses the answer with gzip if the client accepts that. If too many answers wait for compression, the client
     * gets the answer uncompressed.
     */
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

    /** Closes the connection and returns false if there is no memory for an answer of this length. */
    private boolean hasMemory(RoutingContext context, Buffer body) {
        boolean isOfTenant = ManagementAuthHandler.tenant(context).isPresent();
        boolean fits = body.length() <= ALWAYS_SENT_BYTES
                || (unreadBytes + body.length() <= MOST_UNREAD_BYTES
                        && (!isOfTenant || unreadBytesOfTenants + body.length() <= MOST_UNREAD_BYTES_OF_TENANTS));
        if (fits && !context.response().closed()) {
            return true;
        }
        // The answer has no body, because a body would also need memory.
        var _ = context.request().connection().close();
        endQuestion(context);
        return false;
    }

    private void answer(RoutingContext context, int status, String contentType, String body) {
        answer(context, status, contentType, Buffer.buffer(body));
    }

    private void answer(RoutingContext context, int status, String contentType, Buffer body) {
        BrowserSafety.protect(context.response()).setStatusCode(status).putHeader("Content-Type", contentType);
        send(context, body);
    }

    /** Sends a response whose status and headers have been set. */
    private void send(RoutingContext context, Buffer body) {
        if (!hasMemory(context, body)) {
            return;
        }
        dropUnreadBody(context.request());
        unreadBytes += body.length();
        boolean isOfTenant = ManagementAuthHandler.tenant(context).isPresent();
        unreadBytesOfTenants += isOfTenant ? body.length() : 0;
        HttpServerResponse response = context.response();
        (context.request().method().equals(HttpMethod.HEAD)
                        ? response.putHeader("Content-Length", Integer.toString(body.length()))
                                .end()
                        : response.end(body))
                .onComplete(_ -> {
                    unreadBytes -= body.length();
                    unreadBytesOfTenants -= isOfTenant ? body.length() : 0;
                    endQuestion(context);
                });
    }

    /** Closes the connection if the body was not read, because the rest of the body must not be parsed as a request. */
    private void dropUnreadBody(HttpServerRequest request) {
        if (!request.method().equals(HttpMethod.POST) || request.isEnded()) {
            return;
        }
        HttpConnection connection = request.connection();
        request.response().putHeader("Connection", "close");
        UnreadBody leftover = new UnreadBody(vertx, connection);
        request.handler(_ -> leftover.received()).exceptionHandler(_ -> {});
        request.endHandler(_ -> connection.close());
        var _ = request.resume();
    }
}
