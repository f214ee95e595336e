package dev.sluice.peers;

import dev.sluice.bus.BusRequestDeadline;
import dev.sluice.bus.DocumentsReply.DecisionsQuestion;
import dev.sluice.bus.DocumentsReply.StatusQuestion;
import dev.sluice.bus.EventBusLiveness;
import dev.sluice.bus.ForwardedReviewQuestion;
import dev.sluice.bus.ForwardedReviewQuestion.PeerReviewReply;
import dev.sluice.bus.OutboxMessage;
import dev.sluice.bus.Service;
import dev.sluice.bus.Topic;
import dev.sluice.log.TokenBucket;
import dev.sluice.metrics.parts.PeerMetrics;
import dev.sluice.metrics.parts.PeerMetrics.PeerRefusal;
import dev.sluice.replication.Member;
import dev.sluice.tls.ServerTls;
import dev.sluice.webhook.intake.BodyBytes;
import dev.sluice.webhook.intake.BodyLimits;
import dev.sluice.webhook.intake.ClientHandshakeFailure;
import dev.sluice.webhook.intake.ConnectionTracking;
import dev.sluice.webhook.intake.Connections;
import dev.sluice.webhook.intake.IntakeHttpAnswer;
import dev.sluice.webhook.intake.IntakeSharedLimits;
import dev.sluice.webhook.intake.RequestBodyContentType;
import dev.sluice.webhook.intake.RequestBodyIntake;
import dev.sluice.webhook.intake.WholeBody;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.internal.buffer.BufferInternal;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Communicates with other replicas: runs the port for them, and the connections to their ports. All of it runs on one
 * event loop.
 *
 * <p>Every client is a replica, because the TLS handshake fails for all others. Replicas trust each other: a
 * certificate proves that its owner is a replica, but not which replica it is.
 */
public final class PeerVerticle extends VerticleBase {

    private static final Logger LOG = LoggerFactory.getLogger(PeerVerticle.class);

    /**
     * The idle timeout of a connection in seconds. It is longer than the time for which other replicas keep an unused
     * connection open.
     */
    private static final int IDLE_SECONDS = 180;

    /**
     * The time in milliseconds in which open requests can complete when the verticle stops. The gateway has answered
     * all reviews before the verticle stops.
     */
    private static final long FINISH_MILLIS = 500;

    /** The longest time limit for the answer to a review. No API server waits longer for a webhook. */
    private static final Duration LONGEST = Duration.ofSeconds(30);

    private static final int LONGEST_PATIENCE_DIGITS = 5;
    private static final double ONCE_A_MINUTE = 1 / 60.0;

    private final PeerPortSettings settings;
    private final Connections connections;
    private final IntakeSharedLimits intake;
    private final long maxBodyBytes;
    private final PeerMetrics metrics;
    private final TokenBucket lines = new TokenBucket(ONCE_A_MINUTE, 1, Instant.now());
    private @Nullable HttpServer server;
    private @Nullable PeerWires wires;
    /** The path at which this process receives messages. It is null before the process knows its own identity. */
    private @Nullable String ownPath;

    /** The objects that exist only while the verticle runs. */
    private record PeerWires(
            PeerLinks links,
            PeerInbox inbox,
            PeerHttpClient client,
            PeerDocumentsReader documents,
            BodyLimits bodies) {}

    /**
     * Creates the verticle.
     *
     * @param connections the connections of the port for other replicas
     * @param intake the limits for bodies that all ports of the process share
     */
    public PeerVerticle(
            PeerPortSettings settings,
            Connections connections,
            IntakeSharedLimits intake,
            long maxBodyBytes,
            PeerMetrics metrics) {
        this.settings = settings;
        this.connections = connections;
        this.intake = intake;
        this.maxBodyBytes = maxBodyBytes;
        this.metrics = metrics;
    }

    @Override
    public Future<?> start() {
        PeerTls tls = new PeerTls(settings.tls());
        PeerHttpClient client = new PeerHttpClient(vertx, tls);
        PeerWires made = new PeerWires(
                new PeerLinks(vertx, tls, metrics),
                new PeerInbox(vertx, metrics),
                client,
                new PeerDocumentsReader(client),
                new BodyLimits(vertx, context, maxBodyBytes, intake));
        wires = made;
        PeerReviewClient reviews = new PeerReviewClient(client);
        made.links().start();
        Topic.PEER_OUTBOX.subscribe(vertx, message -> deliver(message, made));
        Topic.REPLICATION.subscribe(vertx, status -> {
            know(status.self());
            made.documents().status(status);
            reviews.status(status);
        });
        Service.FORWARD.serveLater(vertx, reviews::forward);
        Service.PEER_DECISIONS.serveLater(vertx, made.documents()::read);
        Service.PEER_STATUS.serveLater(vertx, made.documents()::readStatus);
        Service.PEER_TLS.serve(vertx, this::renew);
        EventBusLiveness.answer(vertx, context);
        return vertx.createHttpServer(options(tls))
                .exceptionHandler(this::failedToConnect)
                .connectionHandler(connection -> ConnectionTracking.track(connection, connections))
                .requestHandler(request -> serve(request, made))
                .listen()
                .onSuccess(listening -> server = listening);
    }

    private HttpServerOptions options(PeerTls tls) {
        HttpServerOptions options = new HttpServerOptions()
                .setHost(settings.host())
                .setPort(settings.port())
                .setIdleTimeout(IDLE_SECONDS)
                .setIdleTimeoutUnit(TimeUnit.SECONDS)
                .setReuseAddress(true)
                .setTcpNoDelay(true)
                .setCompressionSupported(false)
                .setDecompressionSupported(false)
                .setPerFrameWebSocketCompressionSupported(false)
                .setPerMessageWebSocketCompressionSupported(false)
                // The server does not wait for the close message of the client, because a suspended replica would never
                // send it.
                .setWebSocketClosingTimeout(0)
                .setMaxWebSocketFrameSize(PeerEnvelopeCodec.MOST_BYTES)
                .setMaxWebSocketMessageSize(PeerEnvelopeCodec.MOST_BYTES);
        return tls.server(options);
    }

    private void deliver(OutboxMessage message, PeerWires made) {
        know(message.envelope().from());
        made.links().send(message);
    }

    /** Records the identity of this process, which never changes. */
    private void know(Member self) {
        if (ownPath == null) {
            ownPath = PeerLink.pathOf(self.identity());
        }
    }

    private void failedToConnect(Throwable failure) {
        ClientHandshakeFailure cause = ClientHandshakeFailure.of(failure);
        metrics.refuse(cause);
        if (lines.takeIfAny(Instant.now())) {
            LOG.atWarn()
                    .addKeyValue("cause", cause.word())
                    .log("a client of the port for other replicas was refused in its TLS handshake");
        }
    }

    private void serve(HttpServerRequest request, PeerWires made) {
        String path = String.valueOf(request.path());
        switch (path) {
            case PeerReviewClient.PATH -> review(request, made);
            case PeerDocumentsReader.DECISIONS ->
                document(
                        request,
                        () -> Service.OWN_DECISIONS.ask(
                                vertx, new DecisionsQuestion(Objects.requireNonNullElse(request.query(), ""))));
            case PeerDocumentsReader.STATUS ->
                document(request, () -> Service.OWN_STATUS.ask(vertx, new StatusQuestion()));
            case PeerReviewClient.GREETING -> {
                var _ = send(request, IntakeHttpAnswer.plain(200, "ok"));
            }
            default -> {
                if (path.startsWith(PeerLink.PATH)) {
                    replication(request, path, made);
                } else {
                    refuse(request, 404, "path not found");
                }
            }
        }
    }

    private void replication(HttpServerRequest request, String path, PeerWires made) {
        if (ownPath == null) {
            refuse(request, 503, "this replica has not started yet");
        } else if (!path.equals(ownPath)) {
            refuse(request, HttpResponseStatus.MISDIRECTED_REQUEST.code(), "this is another process");
        } else {
            request.toWebSocket().onSuccess(made.inbox()::accept).onFailure(_ -> metrics.refuse(PeerRefusal.REQUEST));
        }
    }

    private void review(HttpServerRequest request, PeerWires made) {
        Optional<Duration> patience = patience(request.query());
        if (!request.method().equals(HttpMethod.POST)) {
            refuse(request, 405, "only POST is answered here");
        } else if (!RequestBodyContentType.is(request.getHeader("Content-Type"))) {
            refuse(request, 415, "the content type must be application/json");
        } else if (patience.isEmpty()) {
            refuse(request, 400, "the parameter patience is missing");
        } else {
            collect(request, made, BusRequestDeadline.in(patience.get()));
        }
    }

    /**
     * Returns the time for which the sender waits for the answer. Returns empty if the query does not begin with a
     * valid time.
     */
    private static Optional<Duration> patience(@Nullable String query) {
        if (query == null || !query.startsWith(PeerReviewClient.PATIENCE)) {
            return Optional.empty();
        }
        String digits = query.substring(PeerReviewClient.PATIENCE.length());
        if (digits.isEmpty()
                || digits.length() > LONGEST_PATIENCE_DIGITS
                || !digits.chars().allMatch(digit -> digit >= '0' && digit <= '9')) {
            return Optional.empty();
        }
        Duration asked = Duration.ofMillis(Long.parseLong(digits));
        return Optional.of(asked.compareTo(LONGEST) < 0 ? asked : LONGEST);
    }

    private void collect(HttpServerRequest request, PeerWires made, BusRequestDeadline deadline) {
        RequestBodyIntake.collect(request, made.bodies(), deadline, new RequestBodyIntake.BodyOutcome() {
            @Override
            public void complete(WholeBody body) {
                answer(request, body, deadline);
            }

            @Override
            public void refused(int status, String sentence) {
                refuse(request, status, sentence);
            }
        });
    }

    /** Passes a review to one of the gateways, and releases the memory of the body after the answer. */
    private void answer(HttpServerRequest request, WholeBody body, BusRequestDeadline deadline) {
        Optional<BodyBytes> bytes = body.take();
        if (bytes.isEmpty()) {
            // The memory of this body was needed for another body, so this request has already been refused.
            body.release();
            return;
        }
        Buffer review = BufferInternal.buffer(Unpooled.wrappedBuffer(bytes.get().join()));
        Service.PEER_REVIEW
                .ask(vertx, new ForwardedReviewQuestion(review, deadline), deadline)
                .otherwise(_ -> unanswered())
                .onSuccess(reply -> {
                    body.answered(reply.body().length());
                    send(request, new IntakeHttpAnswer(reply.status(), reply.contentType(), reply.body()))
                            .onComplete(_ -> body.release());
                });
    }

    private static PeerReviewReply unanswered() {
        IntakeHttpAnswer answer = IntakeHttpAnswer.plain(503, "this replica is stopping, or has no answer in time");
        return new PeerReviewReply(answer.status(), answer.contentType(), answer.body());
    }

    private void document(HttpServerRequest request, Supplier<Future<Buffer>> own) {
        if (!request.method().equals(HttpMethod.GET)) {
            refuse(request, 405, "only GET is answered here");
            return;
        }
        own.get()
                .onSuccess(document -> {
                    var _ = send(request, new IntakeHttpAnswer(200, "application/json", document));
                })
                .onFailure(_ -> refuse(request, 503, "the document cannot be made now"));
    }

    /** Sends an answer. The future succeeds when the answer is in the socket, or when the connection is closed. */
    private static Future<?> send(HttpServerRequest request, IntakeHttpAnswer answer) {
        HttpServerResponse response = request.response();
        if (response.closed() || response.ended()) {
            return Future.succeededFuture();
        }
        return response.setStatusCode(answer.status())
                .putHeader("Content-Type", answer.contentType())
                .end(answer.body())
                .otherwiseEmpty();
    }

    /** Refuses a request. If its body is not complete, the connection is closed, and the rest is not read. */
    private void refuse(HttpServerRequest request, int status, String sentence) {
        metrics.refuse(PeerRefusal.REQUEST);
        boolean complete = request.isEnded();
        if (!complete) {
            request.response().putHeader("Connection", "close");
        }
        send(request, IntakeHttpAnswer.plain(status, sentence)).onComplete(_ -> {
            if (!complete) {
                var _ = request.connection().close();
            }
        });
    }

    /** Replaces the certificate and the authorities, for the port and for the connections to other replicas. */
    private Future<Boolean> renew(ServerTls changed) {
        PeerWires made = wires;
        if (server == null || made == null || changed.clientAuthorities().isEmpty()) {
            return Future.failedFuture("the port is not open, or there is no authority for the other replicas");
        }
        PeerTls tls = new PeerTls(changed);
        // The update is forced, because Vert.x would otherwise ignore content that it has once failed to load.
        return server.updateSSLOptions(tls.serverRenewal(), /* force= */ true)
                .compose(_ -> made.client().renew(tls))
                .compose(_ -> made.links().renew(tls))
                .onSuccess(_ -> made.inbox().replaceConnections())
                .map(true);
    }

    /** Returns the port on which this replica listens. Returns 0 if it does not listen yet. */
    public int port() {
        return server == null ? 0 : server.actualPort();
    }

    @Override
    public Future<?> stop() {
        PeerWires made = wires;
        if (made == null) {
            return Future.succeededFuture();
        }
        return made.links()
                .close()
                .transform(_ -> made.client().close())
                .transform(_ -> server == null
                        ? Future.succeededFuture()
                        : server.shutdown(FINISH_MILLIS, TimeUnit.MILLISECONDS));
    }
}
