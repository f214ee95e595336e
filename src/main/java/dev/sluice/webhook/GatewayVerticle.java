package dev.sluice.webhook;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.sluice.admission.request.ActivePolicy;
import dev.sluice.bus.BusRequestDeadline;
import dev.sluice.bus.DecisionGateMessage;
import dev.sluice.bus.EventBusLiveness;
import dev.sluice.bus.ForwardedReviewQuestion;
import dev.sluice.bus.ForwardedReviewQuestion.PeerReviewReply;
import dev.sluice.bus.FreshnessMessage;
import dev.sluice.bus.Service;
import dev.sluice.bus.Topic;
import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.record.observe.ReviewObserver;
import dev.sluice.tls.ServerTls;
import dev.sluice.webhook.intake.BodyBytes;
import dev.sluice.webhook.intake.BodyLimits;
import dev.sluice.webhook.intake.ClientHandshakeFailure;
import dev.sluice.webhook.intake.ConnectionTracking;
import dev.sluice.webhook.intake.IntakeHttpAnswer;
import dev.sluice.webhook.intake.RequestBodyContentType;
import dev.sluice.webhook.intake.RequestBodyIntake;
import dev.sluice.webhook.intake.UnreadBody;
import dev.sluice.webhook.intake.WholeBody;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Receives reviews and answers them. A process has several instances, each with its own event loop. They share the
 * port, the worker threads for large reviews, and the limits in {@link GatewayVerticleSettings}.
 */
public final class GatewayVerticle extends VerticleBase {

    /**
     * The time in milliseconds between the beginning of {@link #stop} and the closing of the port. During this time,
     * new reviews are refused, so that clients send them to another replica.
     */
    private static final long DRAIN_MILLIS = 1_000;

    /** The time in seconds in which open requests must complete after the server has stopped accepting connections. */
    private static final long FINISH_SECONDS = 5;
    /**
     * The time in milliseconds after which unfinished bodies are refused. It begins when the server stops accepting
     * connections. It is shorter than {@link #FINISH_SECONDS}, so that the refusals can still be sent.
     */
    private static final long LAST_BODY_MILLIS = 4_000;

    /**
     * The maximum number of headers of a request. The API server sends nine. The head of a request may have 8 KiB in
     * total, so this limit only bounds the cost of many tiny headers.
     */
    private static final int MOST_HEADERS = 64;

    private final GatewayVerticleSettings settings;
    private final GatewayAdmissions admissions;
    private final ReviewWorkers workers;
    private final ReviewObserver observer;
    /** The connections whose client certificate has none of the accepted names. Their requests are refused. */
    private final Set<HttpConnection> refusedConnections = new HashSet<>();

    private final RecordBatcher records = new RecordBatcher();
    private @Nullable BodyLimits limits;
    private @Nullable HttpServer server;
    /** The newest snapshot. It is null until the first complete list, and no review is decided before that. */
    private @Nullable ClusterSnapshot cluster;

    private FreshnessMessage freshness = FreshnessMessage.unproved(FreshnessMessage.NO_LIMIT);
    private ActivePolicy policy;
    private DecisionGateMessage deciding = DecisionGateMessage.NOW;
    /**
     * True if the process will end soon. Reviews are still answered, but each connection is closed after an answer, so
     * that clients connect to another replica.
     */
    private boolean leaving;

    private boolean stopping;

    /**
     * Creates a gateway.
     *
     * @param settings the settings, which all gateways of the process share
     * @param admissions the object that decodes and answers reviews; it belongs to this gateway only
     * @param workers the worker threads, which all gateways of the process share
     */
    public GatewayVerticle(
            GatewayVerticleSettings settings,
            GatewayAdmissions admissions,
            ReviewWorkers workers,
            ReviewObserver observer) {
        this.settings = settings;
        this.policy = settings.policy();
        this.admissions = admissions;
        this.workers = workers;
        this.observer = observer;
    }

    @Override
    public Future<?> start() {
        Topic.SNAPSHOTS.subscribe(vertx, snapshot -> cluster = snapshot);
        // The freshness is the time up to which all changes are known. It is published after the snapshot with these
        // changes. Therefore it is never newer than the snapshot on this event loop.
        Topic.FRESHNESS.subscribe(vertx, newest -> freshness = newest);
        Topic.POLICIES.subscribe(vertx, active -> policy = active.limitedBy(policy.limitRanges()));
        Topic.LIMIT_RANGES.subscribe(vertx, newest -> policy = policy.limitedBy(newest));
        Topic.DECISION_GATE.subscribe(vertx, newest -> deciding = newest);
        Service.SERVE_TLS.serve(vertx, this::renew);
        Service.PEER_REVIEW.serveLater(vertx, this::answerPeer);
        Topic.RECORDS_WANTED.subscribe(vertx, _ -> records.publish(vertx));
        Topic.LEAVING.subscribe(vertx, _ -> leaving = true);
        Topic.STOPPING.subscribe(vertx, _ -> stopping = true);
        EventBusLiveness.answer(vertx, context);
        BodyLimits bodies = new BodyLimits(vertx, context, settings.maxBodyBytes(), settings.intake());
        limits = bodies;
        return vertx.createHttpServer(settings.server())
                .exceptionHandler(this::failedToConnect)
                .connectionHandler(this::accept)
                .requestHandler(router(bodies))
                .listen()
                .onSuccess(listening -> server = listening);
    }

    /** Returns the port on which this gateway listens. Returns 0 if it does not listen yet. */
    public int port() {
        return server == null ? 0 : server.actualPort();
    }

    /**
     * Replaces the certificate. Only one instance in the process does this, because all instances share the port and
     * its TLS options.
     */
    private Future<Boolean> renew(ServerTls tls) {
        // Without force, Vert.x would ignore a certificate that it has failed to load before.
        return server == null
                ? Future.failedFuture("the port is not open yet")
                : server.updateSSLOptions(tls.renewal(), /* force= */ true);
    }

    private void failedToConnect(Throwable failure) {
        observer.handshakeFailed(ClientHandshakeFailure.of(failure));
    }

    private void accept(HttpConnection connection) {
        ConnectionTracking.track(connection, settings.intake().connections());
        if (!settings.clients().admit(connection.sslSession())) {
            refusedConnections.add(connection);
            connection.closeHandler(_ -> refusedConnections.remove(connection));
        }
    }

    private Router router(BodyLimits bodies) {
        Router router = Router.router(vertx);
        router.route().handler(context -> serve(context.request(), bodies));
        // Vert.x itself refuses requests whose target is not a path, and HTTP/1.1 requests without a Host header. These
        // handlers answer such requests.
        router.errorHandler(404, context -> notFound(context.request()));
        router.errorHandler(400, context -> refuse(context.request(), 400, "the Host header is missing or broken"));
        return router;
    }

    private void serve(HttpServerRequest request, BodyLimits bodies) {
        if (refusedConnections.contains(request.connection())) {
            refuse(request, 403, "the client's certificate bears none of the names in tls.clientNames");
        } else if (request.headers().entries().size() > MOST_HEADERS) {
            refuse(request, 431, "the request has more than " + MOST_HEADERS + " headers");
        } else {
            // The paths are compared exactly. A route of Vert.x would also match a path with a slash at the end,
            // //mutate and /%6dutate. A route with a pattern would cost time in each review.
            switch (request.path()) {
                case "/mutate", "/mutate--v1-pod" -> mutate(request, bodies);
                case "/healthz" -> healthz(request);
                case null, default -> notFound(request);
            }
        }
    }

    private void notFound(HttpServerRequest request) {
        refuse(request, 404, "path not found");
    }

    private void healthz(HttpServerRequest request) {
        if (request.method().equals(HttpMethod.GET)) {
            send(request, IntakeHttpAnswer.plain(200, "ok"));
        } else {
            request.response().putHeader("Allow", "GET");
            refuse(request, 405, "only GET is answered here");
        }
    }

    private void mutate(HttpServerRequest request, BodyLimits bodies) {
        if (!request.method().equals(HttpMethod.POST)) {
            request.response().putHeader("Allow", "POST");
            refuse(request, 405, "only POST is answered here");
        } else if (!RequestBodyContentType.is(request.getHeader("Content-Type"))) {
            refuse(request, 415, "the content type must be application/json");
        } else if (stopping) {
            refuse(request, 503, "this replica is stopping");
        } else if (cluster == null) {
            refuse(request, 503, "the cluster has not been listed yet");
        } else if (!deciding.now() && !policy.policies().observe()) {
            refuse(request, 503, deciding.blockedBy());
        } else {
            collect(request, bodies, cluster);
        }
    }

    /**
     * Collects the body of the request and then decides about the review. The decision uses the snapshot that is the
     * newest when the body is complete.
     */
    private void collect(HttpServerRequest request, BodyLimits bodies, ClusterSnapshot known) {
        BusRequestDeadline deadline = AdmissionTimeout.deadline(AdmissionTimeout.parameter(request.query()));
        RequestBodyIntake.collect(request, bodies, deadline, new RequestBodyIntake.BodyOutcome() {
            @Override
            public void complete(WholeBody body) {
                decide(
                        request,
                        body,
                        new GatewayDecisionInputs(cluster == null ? known : cluster, freshness, policy, deadline));
            }

            @Override
            public void refused(int status, String sentence) {
                refuse(request, status, sentence);
            }
        });
    }

    /**
     * Answers a review that another replica has forwarded. The peer verticle has already counted the memory of the
     * body. A refusal is not counted here, because the replica that forwarded the review counts it.
     */
    private Future<PeerReviewReply> answerPeer(ForwardedReviewQuestion peer) {
        if (cluster == null) {
            return Future.succeededFuture(reply(
                    IntakeHttpAnswer.plain(503, "the cluster of the replica that decides has not been listed yet")));
        }
        WholeBody body = new WholeBody(
                BodyBytes.of(peer.review()), settings.intake().budget().begin(() -> {}));
        GatewayDecisionInputs moment = new GatewayDecisionInputs(cluster, freshness, policy, peer.deadline());
        return (ReviewWorkers.isFor(body)
                        ? workers.answerForwarded(body, moment)
                        : admissions.answerForwarded(body, moment))
                .otherwise(this::failed)
                .map(made -> {
                    made.record().ifPresent(record -> records.add(vertx, record));
                    return reply(made.http());
                });
    }

    private static PeerReviewReply reply(IntakeHttpAnswer answer) {
        return new PeerReviewReply(answer.status(), answer.contentType(), answer.body());
    }

    private GatewayReviewAnswer failed(Throwable fault) {
        observer.failed("", fault);
        return GatewayReviewAnswer.undecided(
                IntakeHttpAnswer.plain(500, "Sluice failed on this request; the gateway's log says why"));
    }

    private void decide(HttpServerRequest request, WholeBody body, GatewayDecisionInputs moment) {
        if (ReviewWorkers.isFor(body)) {
            long timer = vertx.setTimer(moment.deadline().leftMillis(), _ -> refuse(request, 503, workers.tooLate()));
            finish(request, body, workers.answer(body, moment).onComplete(_ -> vertx.cancelTimer(timer)));
        } else {
            finish(request, body, admissions.answer(body, moment));
        }
    }

    /**
     * Sends the answer. When the answer is written or the connection is closed, releases the memory of the body and
     * publishes the record of the decision. If the request was already refused at its deadline, the answer is dropped,
     * and no record is published.
     */
    private void finish(HttpServerRequest request, WholeBody body, Future<GatewayReviewAnswer> answer) {
        answer.otherwise(this::failed).onSuccess(made -> {
            if (request.response().ended()) {
                body.release();
                return;
            }
            made.refusal().ifPresent(sentence -> observer.refused(made.http().status(), sentence));
            body.answered(made.http().body().length());
            send(request, made.http()).onComplete(_ -> {
                body.release();
                made.record().ifPresent(record -> records.add(vertx, record));
            });
        });
    }

    /** Sends an answer. The future succeeds when the answer is in the socket, or when the connection is closed. */
    @CanIgnoreReturnValue
    private Future<Void> send(HttpServerRequest request, IntakeHttpAnswer answer) {
        HttpServerResponse response = request.response();
        if (response.closed() || response.ended()) {
            return Future.succeededFuture();
        }
        if (leaving || stopping) {
            response.putHeader("Connection", "close");
        }
        if (answer.status() == 503) {
            response.putHeader("Retry-After", "1");
        }
        return response.setStatusCode(answer.status())
                .putHeader("Content-Type", answer.contentType())
                .end(answer.body())
                .onSuccess(_ -> closeWhenLeaving(request));
    }

    /**
     * Closes the connection of an answered request if this process will end soon. Vert.x itself does not close it, even
     * after the header {@code Connection: close}. If the body of the request is not complete, the connection is closed
     * later, at the end of the body.
     */
    private void closeWhenLeaving(HttpServerRequest request) {
        if (leaving && request.isEnded()) {
            var _ = request.connection().close();
        }
    }

    /**
     * Refuses a request, possibly before its body is read. The rest of the body is read and dropped, and then the
     * connection is closed.
     */
    private void refuse(HttpServerRequest request, int status, String sentence) {
        observer.refused(status, sentence);
        if (!request.isEnded()) {
            endAfter(request);
        }
        send(request, IntakeHttpAnswer.plain(status, sentence));
    }

    private void endAfter(HttpServerRequest request) {
        HttpConnection connection = request.connection();
        request.response().putHeader("Connection", "close");
        UnreadBody leftover = new UnreadBody(vertx, connection);
        request.handler(_ -> leftover.received()).exceptionHandler(_ -> {});
        // Bytes after the end that Vert.x reports may still belong to the refused body. They must not be answered as a
        // request, so the connection is closed.
        request.endHandler(_ -> connection.close());
    }

    @Override
    public Future<?> stop() {
        stopping = true;
        return vertx.timer(DRAIN_MILLIS, TimeUnit.MILLISECONDS)
                .onSuccess(_ -> vertx.setTimer(LAST_BODY_MILLIS, _ -> refuseUnfinished()))
                .compose(_ ->
                        server == null ? Future.succeededFuture() : server.shutdown(FINISH_SECONDS, TimeUnit.SECONDS))
                .onComplete(_ -> records.publish(vertx));
    }

    private void refuseUnfinished() {
        if (limits != null) {
            limits.refuseUnfinished();
        }
    }
}
