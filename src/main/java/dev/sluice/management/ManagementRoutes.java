package dev.sluice.management;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.api.DocumentResponse;
import dev.sluice.api.OpenApi;
import dev.sluice.bus.EventBusLiveness;
import dev.sluice.kube.client.AccessQuestions;
import dev.sluice.log.StackTraceLimit;
import dev.sluice.management.StreamQuery.FleetWish;
import dev.sluice.metrics.ScrapeFormat;
import dev.sluice.webhook.intake.ConnectionTracking;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.vertx.core.Context;
import io.vertx.core.Handler;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Defines the paths of the management port, and the checks that a request passes before its path answers. */
final class ManagementRoutes {

    private static final Logger LOG = LoggerFactory.getLogger(ManagementRoutes.class);

    private static final String DECISIONS = "/api/v1/decisions";

    static final String CAPACITY = "/api/v1/capacity";

    static final String FLEET = "/api/v1/fleet";

    static final String FLOW = "/api/v1/flow";

    static final String EVENTS = "/api/v1/events";

    static final String EXPLAIN = "/api/v1/explain";

    private final Vertx vertx;
    private final Context context;
    private final ManagementPortSettings settings;
    private final ManagementPages pages;
    private final ManagementAnswers answers;
    private final ManagementHostNames names;
    private final StackTraceLimit stacks = new StackTraceLimit();
    private final ManagementPathIndex index = new ManagementPathIndex();
    private final ManagementSharedAnswers<String> scrapes = new ManagementSharedAnswers<>(1);

    ManagementRoutes(Vertx vertx, Context context, ManagementPortSettings settings, ManagementPages pages) {
        this.vertx = vertx;
        this.context = context;
        this.settings = settings;
        this.pages = pages;
        this.answers = new ManagementAnswers(vertx, settings.clock());
        this.names = new ManagementHostNames(settings.names());
    }

    /** Returns the router of all paths. It is called once. */
    Router router() {
        Router router = Router.router(vertx);
        router.route().handler(ManagementRoutes::protectProbesOnly);
        router.route().handler(ManagementRoutes::keepBody);
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
                withoutParameters(
                        context -> answers.show(context, pages.capacity().capacity())));
        get(
                router,
                CAPACITY + "/history",
                "what of the devices was taken in the last hours",
                ofNamespace(context -> answers.show(
                        context,
                        pages.capacity()
                                .history(ManagementAuthHandler.tenant(context).isPresent()))));
        get(
                router,
                CAPACITY + "/holders",
                "which namespaces hold most of each device",
                ofNamespace(context ->
                        answers.show(context, pages.capacity().holders(ManagementAuthHandler.tenant(context)))));
        get(
                router,
                FLEET,
                "the GPU nodes and what of their devices is taken, for programs that show all of them",
                answers.atItsPace(context -> fleet(context, pages.fleet())));
        router.routeWithRegex(Pattern.quote(FLEET) + "/nodes/([^/]+)")
                .useNormalizedPath(false)
                .handler(only(
                        HttpMethod.GET,
                        withoutParameters(context -> answers.show(
                                context, pages.capacity().node(String.valueOf(context.pathParam("param0")))))));
        get(
                router,
                DECISIONS,
                "the last decisions of all replicas; /api/v1/decisions/UID is one of them",
                answers.atItsPace(context -> answers.show(
                        context,
                        pages.api()
                                .decisions(
                                        context.request(),
                                        ManagementAuthHandler.tenant(context).isPresent()))));
        get(
                router,
                DECISIONS + "/summary",
                "how many pods were changed, refused or waited, by namespace and chain",
                answers.atItsPace(context -> answers.show(
                        context,
                        pages.api()
                                .summary(
                                        context.request(),
                                        ManagementAuthHandler.tenant(context).isPresent()))));
        get(
                router,
                FLOW,
                "which resources were exchanged, and how decisions ended, of those that are kept",
                answers.atItsPace(context -> answers.show(
                        context,
                        pages.api()
                                .flow(
                                        context.request(),
                                        ManagementAuthHandler.tenant(context).isPresent()))));
        pages.explanations().ifPresent(explanations -> {
            ExplainApiRequests requests = new ExplainApiRequests(
                    answers,
                    pages.readiness(),
                    pages.api(),
                    explanations,
                    ExplainApiRequests.bodyLimits(vertx, context, settings.connections()));
            index.add(EXPLAIN, "what would become of the pods in the body; by POST");
            router.routeWithRegex(Pattern.quote(EXPLAIN))
                    .useNormalizedPath(false)
                    .handler(only(HttpMethod.POST, answers.atItsPace(requests::explain)));
        });
        router.routeWithRegex(Pattern.quote(DECISIONS) + "/([^/]+)")
                .useNormalizedPath(false)
                .handler(only(
                        HttpMethod.GET,
                        withoutParameters(context -> answers.show(
                                context, pages.api().decision(String.valueOf(context.pathParam("param0")))))));
        get(
                router,
                EVENTS,
                "decisions of this replica and changes of capacity as they come",
                answers.atItsPace(context -> stream(context, pages.events())));
        get(
                router,
                "/api/v1/bypassed",
                "GPU pods that no replica decided about",
                withoutParameters(
                        context -> answers.show(context, pages.bypassed().answer())));
        get(
                router,
                "/api/v1/diagnosis",
                "why GPU pods do not run, if management.diagnosisSeconds is set",
                answers.atItsPace(context -> answers.show(
                        context, pages.api().diagnosis(context.request(), ManagementAuthHandler.tenant(context)))));
        get(
                router,
                "/api/v1/status",
                "what this replica knows of itself: policy, watch, certificates, rights",
                withoutParameters(context -> answers.show(context, pages.api().status())));
        get(
                router,
                "/api/v1/replicas",
                "what all replicas say about themselves",
                withoutParameters(context -> answers.show(context, pages.api().replicas())));
        get(
                router,
                "/api/v1/openapi.json",
                "the OpenAPI document of the paths below /api/v1",
                context -> answers.show(context, OpenApi.DOCUMENT));
        router.route().handler(answers::notFound);
        // Vert.x calls these handlers for failed requests, and for requests that it refuses itself, for example because
        // the target is not a path, or because an HTTP/1.1 request has no Host header.
        router.errorHandler(404, answers::notFound);
        router.errorHandler(400, context -> answers.refuse(context, 400, "the request is broken"));
        router.errorHandler(500, answers::notMade);
        return router;
    }

    private void loadWriter(RoutingContext context) {
        if (ManagementAnswers.isForPrograms(context)) {
            answers.withWriter(context::next);
        } else {
            context.next();
        }
    }

    private void withReadableQuery(RoutingContext context) {
        try {
            var _ = context.request().params();
        } catch (IllegalArgumentException _) {
            answers.refuse(context, 400, "the query cannot be decoded");
            return;
        }
        context.next();
    }

    /**
     * Refuses a request whose host is not a name of this gateway, because the web page of an attacker may have sent it.
     * Probes are always answered, because their answers contain nothing about the cluster. The check is not used if
     * clients need a token, because the web page of an attacker has no token.
     */
    private void calledByItsName(RoutingContext context) {
        HttpServerRequest request = context.request();
        if (request.headers().getAll("Host").size() > 1) {
            answers.refuse(context, 400, "the request has more than one header Host");
        } else if ((names.include(request.getHeader("Host"), request.authority()) && names.includeTarget(request.uri()))
                || ManagementAuthHandler.limitToProbe(context)) {
            context.next();
        } else {
            answers.refuse(context, HttpResponseStatus.MISDIRECTED_REQUEST.code(), ManagementHostNames.REFUSAL);
        }
    }

    private ManagementAuthHandler check(AccessQuestions questions) {
        return new ManagementAuthHandler(
                () -> new AccessGate(
                        questions,
                        settings.clock(),
                        question -> Thread.ofPlatform().daemon().name("access").start(question),
                        task -> this.context.runOnContext(_ -> task.run())),
                settings.metrics()::refuse,
                (context, answer) -> answers.withWriter(() -> answers.show(context, answer.get())));
    }

    private void addConsole(Router router) {
        ManagementConsolePages console = new ManagementConsolePages(
                vertx,
                answers::send,
                (context, status) -> answers.refuse(
                        context, status, status == 405 ? "only GET and HEAD are answered here" : "path not found"));
        index.add(ManagementConsolePages.PATH, "the console, for a browser");
        router.routeWithRegex(ManagementConsolePages.ROUTE)
                .useNormalizedPath(false)
                .handler(console::answer);
    }

    /** Adds a path. {@code answers} is its description in the list of paths. */
    private void get(Router router, String path, String answers, Handler<RoutingContext> page) {
        index.add(path, answers);
        router.routeWithRegex(Pattern.quote(path)).useNormalizedPath(false).handler(only(HttpMethod.GET, page));
    }

    private Handler<RoutingContext> only(HttpMethod method, Handler<RoutingContext> page) {
        return context -> {
            if (context.request().method().equals(method)) {
                page.handle(context);
            } else {
                refuseMethod(context, method.name(), "only " + method + " is answered here");
            }
        };
    }

    private void refuseMethod(RoutingContext context, String allowed, String sentence) {
        context.response().putHeader("Allow", allowed);
        answers.refuse(context, 405, sentence);
    }

    private void index(RoutingContext context) {
        HttpMethod method = context.request().method();
        if (!method.equals(HttpMethod.GET) && !method.equals(HttpMethod.HEAD)) {
            refuseMethod(context, "GET, HEAD", "only GET and HEAD are answered here");
            return;
        }
        ManagementPathIndex.IndexPage page =
                index.page(context.request().getHeader("Accept"), path -> ManagementAuthHandler.mayRead(context, path));
        answers.answer(context, 200, page.contentType(), page.body());
    }

    /**
     * Ends the grace period of a connection if the request is not a probe. If there are too many connections, those
     * without a grace period are closed first. New connections stay open, because they may be for probes.
     */
    private static void protectProbesOnly(RoutingContext context) {
        if (!ManagementAuthHandler.isProbe(context)) {
            ConnectionTracking.endGrace(context.request().connection());
        }
        context.next();
    }

    /** Pauses the body of a POST request until a handler reads the body or refuses the request. */
    private static void keepBody(RoutingContext context) {
        if (context.request().method().equals(HttpMethod.POST)) {
            var _ = context.request().pause();
        }
        context.next();
    }

    private Handler<RoutingContext> withoutParameters(Handler<RoutingContext> page) {
        return withParameters(List.of(), page);
    }

    /** Returns a handler that refuses a query if a parameter is unknown or occurs more than once. */
    private Handler<RoutingContext> withParameters(List<String> known, Handler<RoutingContext> page) {
        return context -> {
            MultiMap parameters = context.queryParams();
            Optional<String> unknown = DocumentResponse.unknownParameter(parameters.names(), known);
            if (unknown.isPresent()) {
                answers.refuse(context, 400, unknown.get());
            } else if (RateLimitedApi.isRepeated(parameters)) {
                answers.refuse(context, 400, RateLimitedApi.REPEATED);
            } else {
                page.handle(context);
            }
        };
    }

    private void livez(RoutingContext context) {
        EventBusLiveness.ask(vertx, pages.watched())
                .onSuccess(_ -> answers.answer(context, 200, ManagementAnswers.PLAIN, "ok\n"))
                .onFailure(_ -> answers.answer(
                        context, 503, ManagementAnswers.PLAIN, "an event loop has not answered for a second\n"));
    }

    private void readyz(RoutingContext context) {
        int status = pages.readiness().isReady() ? 200 : 503;
        boolean verbose = context.request().params().contains("verbose") && !ManagementAuthHandler.isProbeOnly(context);
        answers.answer(
                context,
                status,
                ManagementAnswers.PLAIN,
                verbose ? pages.readiness().verbose() : pages.readiness().brief());
    }

    private void metrics(RoutingContext context) {
        ScrapeFormat format = ScrapeFormat.accepted(context.request().getHeader("Accept"));
        scrapes.ask(vertx, format.name(), () -> pages.scrape().ask(vertx).map(all -> new String(format.of(all), UTF_8)))
                .onSuccess(text -> answers.answerCompressed(context, 200, format.contentType(), text))
                .onFailure(fault -> {
                    stacks.add(LOG.atError(), fault).log("the metrics could not be written");
                    answers.answer(
                            context,
                            500,
                            ManagementAnswers.PLAIN,
                            "the numbers could not be written; the gateway's log says why\n");
                });
    }

    /**
     * Returns a handler for a page about the whole cluster. The query may contain the parameter {@code namespace}. It
     * does not change the answer, and only determines which right of the client is checked.
     */
    private Handler<RoutingContext> ofNamespace(Handler<RoutingContext> page) {
        return answers.atItsPace(withParameters(List.of("namespace"), page));
    }

    /** Answers with the whole list of GPU nodes, or with status 304 if the client has its newest version. */
    private void fleet(RoutingContext context, FleetApi fleet) {
        labels(context, List.of("namespace", FleetApi.LABELS), labels -> {
            if (pages.readiness().cluster().isEmpty()) {
                answers.refuse(context, 503, "the cluster has not been listed yet");
                return;
            }
            fleet.whole(labels)
                    .onSuccess(reply -> {
                        String tag = '"' + reply.version() + '"';
                        context.response().putHeader("ETag", tag);
                        if (tag.equals(context.request().getHeader("If-None-Match"))) {
                            ManagementBrowserSafety.protect(context.response())
                                    .setStatusCode(304)
                                    .end();
                            answers.endQuestion(context);
                        } else {
                            answers.show(context, reply.whole().orElseThrow());
                        }
                    })
                    .onFailure(cause -> answers.show(context, ManagementFailureAnswer.answer(cause)));
        });
    }

    /**
     * Starts a stream of events. From then on, the request no longer counts against the limits of the client's
     * namespace, because the stream lasts long.
     */
    private void stream(RoutingContext context, EventStream events) {
        labels(context, StreamQuery.PARAMETERS, labels -> {
            MultiMap parameters = context.request().params();
            Optional<String> perSecond = Optional.ofNullable(parameters.get(StreamQuery.PER_SECOND));
            if (!perSecond.map(StreamQuery::isPerSecond).orElse(true)) {
                answers.refuse(context, 400, StreamQuery.WRONG_PER_SECOND);
                return;
            }
            Optional<FleetWish> fleet =
                    Optional.ofNullable(parameters.get("fleet")).map(version -> new FleetWish(labels, version));
            events.open(
                            context.request(),
                            new StreamQuery(
                                    Optional.ofNullable(parameters.get("namespace")),
                                    ManagementAuthHandler.tenant(context).isPresent(),
                                    fleet,
                                    perSecond.stream()
                                            .mapToInt(Integer::parseInt)
                                            .findFirst()))
                    .ifPresentOrElse(tooMany -> answers.show(context, tooMany), () -> answers.endQuestion(context));
        });
    }

    /**
     * Runs {@code page} with the labels in the query. Refuses a query with parameters other than {@code parameters}.
     */
    private void labels(RoutingContext context, List<String> parameters, Consumer<List<String>> page) {
        withParameters(parameters, _ -> {
                    Optional<List<String>> labels =
                            FleetApi.labels(context.request().getParam(FleetApi.LABELS));
                    if (labels.isEmpty()) {
                        answers.refuse(context, 400, FleetApi.WRONG_LABELS);
                    } else if (!labels.get().isEmpty()
                            && ManagementAuthHandler.tenant(context).isPresent()) {
                        answers.refuse(
                                context,
                                403,
                                "only those who may read about all namespaces may choose labels of nodes");
                    } else {
                        page.accept(labels.get());
                    }
                })
                .handle(context);
    }
}
