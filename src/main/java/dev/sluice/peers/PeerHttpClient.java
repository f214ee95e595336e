package dev.sluice.peers;

import dev.sluice.bus.BusRequestDeadline;
import dev.sluice.tls.CertificateUse;
import dev.sluice.webhook.intake.IntakeHttpAnswer;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Sends requests to the ports of other replicas. The connections are kept open for later requests. */
final class PeerHttpClient {

    /**
     * The time limit for opening a connection, in milliseconds. Replicas are in the same cluster, so a connection opens
     * within a few milliseconds or not at all.
     */
    static final int CONNECT_MILLIS = 300;

    /**
     * The time in seconds after which an unused connection is closed. It is shorter than the idle timeout of the
     * server, so a request is never sent on a connection that the server is about to close.
     */
    private static final int KEPT_SECONDS = 30;

    /** The maximum number of requests that this replica sends to another replica at the same time. */
    private static final int AT_ONCE = 64;

    /** The maximum number of requests that wait for a connection. A further request fails at once. */
    private static final int MOST_WAITING = 512;

    private final Vertx vertx;
    private final HttpClientAgent client;

    PeerHttpClient(Vertx vertx, PeerTls tls) {
        this.vertx = vertx;
        HttpClientOptions options = tls.client(new HttpClientOptions())
                .setVerifyHost(false)
                .setKeepAliveTimeout(KEPT_SECONDS)
                .setDecompressionSupported(false);
        options.setConnectTimeout(CONNECT_MILLIS).setTcpNoDelay(true).setSslHandshakeTimeout(1);
        this.client = vertx.createHttpClient(
                options, new PoolOptions().setHttp1MaxSize(AT_ONCE).setMaxWaitQueueSize(MOST_WAITING));
    }

    /**
     * Uses the certificate of {@code tls} for new connections. The old connections receive no more requests, and are
     * closed when they are idle.
     */
    Future<Boolean> renew(PeerTls tls) {
        return client.updateSSLOptions(tls.clientRenewal(), /* force= */ true);
    }

    Future<?> close() {
        return client.close();
    }

    /**
     * A request to another replica.
     *
     * @param mostBytes the maximum size of the answer's body
     */
    record PeerQuestion(PeerMemberAddress to, HttpMethod method, String uri, Buffer body, int mostBytes) {}

    /** Sends a request. The future fails if there is no complete answer before the deadline. */
    Future<IntakeHttpAnswer> ask(PeerQuestion question, BusRequestDeadline deadline) {
        return begin(question, deadline).answer();
    }

    /** Sends a request that the caller can give up. It fails if there is no complete answer before the deadline. */
    PeerExchange begin(PeerQuestion question, BusRequestDeadline deadline) {
        PeerExchange exchange = new PeerExchange(question);
        long limit = deadline.leftMillis();
        long timer = vertx.setTimer(limit, _ -> exchange.fail("there is no answer after " + limit + " ms"));
        exchange.begin();
        var _ = exchange.answer().onComplete(_ -> vertx.cancelTimer(timer));
        return exchange;
    }

    /** One request with its answer. */
    final class PeerExchange {

        private final PeerQuestion question;
        private final Promise<IntakeHttpAnswer> answer = Promise.promise();
        private final Buffer body = Buffer.buffer();
        private @Nullable HttpClientRequest request;

        private PeerExchange(PeerQuestion question) {
            this.question = question;
        }

        Future<IntakeHttpAnswer> answer() {
            return answer.future();
        }

        private void begin() {
            RequestOptions options = new RequestOptions()
                    .setServer(question.to().socketAddress())
                    .setHost(CertificateUse.PEER_NAME)
                    .setMethod(question.method())
                    .setURI(question.uri());
            if (question.body().length() > 0) {
                options.putHeader("Content-Type", "application/json");
            }
            client.request(options).onComplete(this::send, this::fail);
        }

        private void send(HttpClientRequest opened) {
            request = opened;
            // Without this handler, Vert.x would log an error for each request that is cancelled.
            opened.exceptionHandler(this::fail);
            if (answer.future().isComplete()) {
                // No caller waits for the answer any more, so the request is not sent. Its connection returns to the
                // pool.
                var _ = opened.reset();
            } else {
                opened.send(question.body()).onComplete(this::receive, this::fail);
            }
        }

        private void receive(HttpClientResponse response) {
            response.exceptionHandler(this::fail);
            response.handler(chunk -> {
                if (body.length() + chunk.length() > question.mostBytes()) {
                    fail("the answer is larger than " + question.mostBytes() + " bytes");
                } else {
                    body.appendBuffer(chunk);
                }
            });
            response.endHandler(_ -> answer.tryComplete(new IntakeHttpAnswer(
                    response.statusCode(),
                    Objects.requireNonNullElse(response.getHeader("Content-Type"), "text/plain; charset=utf-8"),
                    body)));
        }

        private void fail(Throwable cause) {
            fail(Objects.requireNonNullElse(cause.getMessage(), cause.toString()));
        }

        /** Ends the exchange. The connection is closed, because the rest of the answer may still arrive on it. */
        void fail(String why) {
            if (answer.tryFail(why) && request != null) {
                var _ = request.reset();
            }
        }
    }
}
