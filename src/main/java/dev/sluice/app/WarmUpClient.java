package dev.sluice.app;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;

/** Sends the reviews of the warm-up. Like the API server, it sends several reviews at the same time. */
final class WarmUpClient extends VerticleBase {

    /** The number of requests that are sent at the same time. */
    private static final int AT_ONCE = 4;

    /**
     * The number of reviews after which a connection is closed. A new connection needs a handshake, which costs as much
     * as a review, so handshakes are warmed up as well.
     */
    private static final int REVIEWS_PER_CONNECTION = 8;

    private static final int OK = 200;

    private static final RequestOptions KEPT = new RequestOptions()
            .setMethod(HttpMethod.POST)
            .setURI("/mutate?timeout=3s")
            .putHeader(HttpHeaders.ACCEPT, "application/json, */*")
            .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
            .putHeader(HttpHeaders.USER_AGENT, "kube-apiserver-admission")
            .putHeader(HttpHeaders.ACCEPT_ENCODING, "gzip");

    private static final RequestOptions LAST =
            new RequestOptions(KEPT).putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);

    private final HttpClientOptions gateway;
    private final WarmUp.Load load;
    private final long end;
    private final Promise<Integer> done = Promise.promise();
    private int sent;
    private int answered;

    private WarmUpClient(HttpClientOptions gateway, WarmUp.Load load, long begun) {
        this.gateway = gateway;
        this.load = load;
        this.end = begun + load.longest().toNanos();
    }

    /**
     * Sends reviews to a gateway. Returns the number of reviews that were decided.
     *
     * @param gateway the options with which a client connects to the gateway
     * @param begun the start of the warm-up as a value of {@code System.nanoTime()}
     */
    static Future<Integer> send(Vertx stage, HttpClientOptions gateway, WarmUp.Load load, long begun) {
        WarmUpClient client = new WarmUpClient(gateway, load, begun);
        return stage.deployVerticle(client).compose(_ -> client.done.future());
    }

    @Override
    public Future<?> start() {
        HttpClientAgent client = vertx.createHttpClient(gateway, new PoolOptions().setHttp1MaxSize(AT_ONCE));
        for (int i = 0; i < AT_ONCE; i++) {
            next(client);
        }
        return Future.succeededFuture();
    }

    private void next(HttpClientAgent client) {
        if (answered >= load.wanted() || System.nanoTime() - end >= 0) {
            done.tryComplete(answered);
            return;
        }
        Buffer review = load.reviews().get(sent % load.reviews().size());
        sent++;
        client.request(sent % REVIEWS_PER_CONNECTION == 0 ? LAST : KEPT)
                .compose(request -> request.send(review))
                .compose(response -> response.body().map(response))
                .onFailure(done::tryFail)
                .onSuccess(response -> {
                    count(response);
                    next(client);
                });
    }

    /**
     * Counts the review of this response if the review was decided. The first reviews are refused, because the gateway
     * does not know its cluster yet.
     */
    private void count(HttpClientResponse response) {
        answered += response.statusCode() == OK ? 1 : 0;
    }
}
