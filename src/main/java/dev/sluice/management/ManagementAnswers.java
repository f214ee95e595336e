package dev.sluice.management;

import dev.sluice.api.ApiJson;
import dev.sluice.api.DocumentResponse;
import dev.sluice.log.StackTraceLimit;
import dev.sluice.webhook.intake.UnreadBody;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the answers of the management port. Limits the memory of answers that clients have not read, and the number of
 * requests of tenants that are handled at the same time. A tenant is a client that may read about one namespace only.
 * Only one event loop may use it.
 */
final class ManagementAnswers {

    private static final Logger LOG = LoggerFactory.getLogger(ManagementAnswers.class);

    static final String PLAIN = "text/plain; charset=utf-8";

    /**
     * The maximum number of bytes in answers that clients have not read yet. An answer about the capacity of a large
     * cluster has several megabytes. Clients that read their answers never reach the limit.
     */
    private static final long MOST_UNREAD_BYTES = 16 * 1024 * 1024;

    /**
     * An answer of at most this number of bytes is sent even if {@link #MOST_UNREAD_BYTES} is reached. The answers to
     * probes are shorter, so probes get their answers even if other clients do not read theirs. All connections
     * together can leave 5 MiB of such answers unread.
     */
    private static final int ALWAYS_SENT_BYTES = 512;

    /**
     * The maximum number of unread bytes in answers to tenants, which are clients that may read about one namespace
     * only. If it is exceeded, only connections of tenants are closed.
     */
    private static final long MOST_UNREAD_BYTES_OF_TENANTS = MOST_UNREAD_BYTES / 2;

    /**
     * The key under which the routing context of a tenant's request contains the namespace of the tenant. The entry
     * exists while the request counts against the limits of that namespace.
     */
    private static final String UNDER_WAY = ManagementAnswers.class.getName() + ".question";

    private final Vertx vertx;
    private final TenantRequestLimit tenants;
    private final GzipBody gzip = new GzipBody();
    private final StackTraceLimit stacks = new StackTraceLimit();
    private long unreadBytes;
    private long unreadBytesOfTenants;
    private boolean canWrite;

    ManagementAnswers(Vertx vertx, InstantSource clock) {
        this.vertx = vertx;
        this.tenants = new TenantRequestLimit(clock);
    }

    /**
     * Runs {@code next} when the JSON writer is loaded. A worker thread loads the writer for the first answer that
     * needs it.
     */
    void withWriter(Runnable next) {
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

    /**
     * Returns a handler that refuses a tenant's request if the limits of the tenant's namespace are reached. A request
     * counts against the limits until its answer was created and written, even if the client has closed the connection.
     * Clients that may read about all namespaces have no limit here.
     */
    Handler<RoutingContext> atItsPace(Handler<RoutingContext> page) {
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
                        ManagementFailureAnswer.tooMany("the namespace " + tenant.get()
                                + " asks more than it may at once, or in a second; ask again in a second"));
            }
        };
    }

    /**
     * Stops counting a request against the limits of its namespace. {@link #send} does this itself, so callers need
     * this method only if they answer without it.
     */
    void endQuestion(RoutingContext context) {
        @Nullable String namespace = context.remove(UNDER_WAY);
        if (namespace != null) {
            tenants.end(namespace);
        }
    }

    void notFound(RoutingContext context) {
        refuse(context, 404, "path not found");
    }

    /** Answers a request whose handler has failed, and logs the failure. */
    void notMade(RoutingContext context) {
        Throwable fault = context.failure();
        (fault == null ? LOG.atError() : stacks.add(LOG.atError(), fault))
                .log("an answer of the management port could not be made");
        refuse(context, 500, "the answer could not be made; the gateway's log says why");
    }

    /** Returns true for paths below /api/, which programs read. People and probes read the other paths. */
    static boolean isForPrograms(RoutingContext context) {
        return String.valueOf(context.request().path()).startsWith("/api/");
    }

    /** Answers with a problem document below /api/, and with one line of text elsewhere. */
    void refuse(RoutingContext context, int status, String sentence) {
        if (isForPrograms(context)) {
            String title = HttpResponseStatus.valueOf(status).reasonPhrase();
            show(context, DocumentResponse.problem(status, title, sentence));
        } else {
            answer(context, status, PLAIN, sentence + "\n");
        }
    }

    void show(RoutingContext context, Future<DocumentResponse> coming) {
        coming.onSuccess(made -> show(context, made));
    }

    void show(RoutingContext context, DocumentResponse made) {
        made.retryAfterSeconds()
                .ifPresent(seconds -> context.response().putHeader("Retry-After", Integer.toString(seconds)));
        answerCompressed(context, made.status(), made.contentType(), made.json());
    }

    /**
     * Compresses the answer with gzip if the client accepts that. If too many answers wait for compression, the client
     * gets the answer uncompressed.
     */
    void answerCompressed(RoutingContext context, int status, String contentType, String body) {
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

    /**
     * Returns true if there is memory for an answer of this length. Otherwise closes the connection and returns false.
     */
    private boolean hasMemory(RoutingContext context, Buffer body) {
        boolean isOfTenant = ManagementAuthHandler.tenant(context).isPresent();
        boolean fits = body.length() <= ALWAYS_SENT_BYTES
                || (unreadBytes + body.length() <= MOST_UNREAD_BYTES
                        && (!isOfTenant || unreadBytesOfTenants + body.length() <= MOST_UNREAD_BYTES_OF_TENANTS));
        if (fits && !context.response().closed()) {
            return true;
        }
        // The connection is closed without an answer, because an answer would also need memory.
        var _ = context.request().connection().close();
        endQuestion(context);
        return false;
    }

    void answer(RoutingContext context, int status, String contentType, String body) {
        answer(context, status, contentType, Buffer.buffer(body));
    }

    private void answer(RoutingContext context, int status, String contentType, Buffer body) {
        ManagementBrowserSafety.protect(context.response())
                .setStatusCode(status)
                .putHeader("Content-Type", contentType);
        send(context, body);
    }

    /** Sends a response whose status and headers have been set. */
    void send(RoutingContext context, Buffer body) {
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
