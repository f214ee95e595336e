package dev.sluice.management;

import dev.sluice.management.ManagementConsoleFiles.ConsoleFile;
import dev.sluice.metrics.ScrapeAcceptHeader;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Serves the files of the console. They contain nothing about the cluster, so everybody may get them; the page asks the
 * API for its data. Only one event loop may use it.
 */
final class ManagementConsolePages {

    static final String PATH = "/console/";

    /** Matches the paths for which {@link #include} returns true. */
    static final String ROUTE = "/console(?:/.*)?";

    /**
     * The path of the console without its last slash. Requests for it are redirected, because the relative links of the
     * page would otherwise point to the wrong directory.
     */
    private static final String PATH_WITHOUT_SLASH = "/console";

    /**
     * The Content-Security-Policy of the page. The page may load scripts, styles and pictures only from this server,
     * and may send requests only to this server. Inline scripts and styles are forbidden. Scripts cannot turn text into
     * code or markup. No other page may embed this one.
     */
    private static final String CONTENT_SECURITY_POLICY = "default-src 'none'; script-src 'self'; style-src 'self';"
            + " img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
            + " require-trusted-types-for 'script'; trusted-types 'none'";

    /**
     * The {@code Cache-Control} header for a file in the directory that is named by the digest. Such a file never
     * changes.
     */
    private static final String FOR_EVER = "public, max-age=31536000, immutable";

    /**
     * The {@code Cache-Control} header for the page. A browser may store the page, but must ask each time whether it
     * has changed.
     */
    private static final String ASK_EACH_TIME = "no-cache";

    private final Vertx vertx;
    private final BiConsumer<RoutingContext, Buffer> send;
    private final BiConsumer<RoutingContext, Integer> refuse;
    private @Nullable Future<ManagementConsoleFiles> files;

    /**
     * Creates the pages.
     *
     * @param send a callback that sends a response with this body
     * @param refuse a callback that refuses a request with this status
     */
    ManagementConsolePages(
            Vertx vertx, BiConsumer<RoutingContext, Buffer> send, BiConsumer<RoutingContext, Integer> refuse) {
        this.vertx = vertx;
        this.send = send;
        this.refuse = refuse;
    }

    /** Returns true if the path belongs to the console, even if there is no such file. */
    static boolean include(String path) {
        return path.equals(PATH_WITHOUT_SLASH) || path.startsWith(PATH);
    }

    void answer(RoutingContext context) {
        HttpServerRequest request = context.request();
        String path = String.valueOf(request.path());
        if (!request.method().equals(HttpMethod.GET) && !request.method().equals(HttpMethod.HEAD)) {
            request.response().putHeader("Allow", "GET, HEAD");
            refuse.accept(context, HttpResponseStatus.METHOD_NOT_ALLOWED.code());
        } else if (path.equals(PATH_WITHOUT_SLASH)) {
            protect(request.response(), ASK_EACH_TIME)
                    .setStatusCode(HttpResponseStatus.PERMANENT_REDIRECT.code())
                    // The address is relative, so it is also correct behind a proxy that adds a path.
                    .putHeader("Location", "console/");
            send.accept(context, Buffer.buffer());
        } else {
            loaded().onSuccess(all -> serve(context, path.substring(PATH.length()), all))
                    .onFailure(context::fail);
        }
    }

    /** Returns the files. A worker thread reads them at the first request. */
    private Future<ManagementConsoleFiles> loaded() {
        Future<ManagementConsoleFiles> known = files;
        if (known == null || known.failed()) {
            known = vertx.executeBlocking(ManagementConsoleFiles::load, /* ordered= */ false)
                    .map(all -> Objects.requireNonNull(all));
            files = known;
        }
        return known;
    }

    private void serve(RoutingContext context, String name, ManagementConsoleFiles all) {
        if (name.isEmpty()) {
            page(context, all);
            return;
        }
        String directory = all.digest() + "/";
        @Nullable
        ConsoleFile file = name.startsWith(directory) ? all.files().get(name.substring(directory.length())) : null;
        if (file == null) {
            refuse.accept(context, HttpResponseStatus.NOT_FOUND.code());
        } else {
            send(context, file, FOR_EVER);
        }
    }

    private void page(RoutingContext context, ManagementConsoleFiles all) {
        String tag = "\"" + all.digest() + "\"";
        HttpServerResponse response = context.response().putHeader("ETag", tag);
        if (tag.equals(context.request().getHeader("If-None-Match"))) {
            protect(response, ASK_EACH_TIME).setStatusCode(HttpResponseStatus.NOT_MODIFIED.code());
            send.accept(context, Buffer.buffer());
        } else {
            send(context, all.page(), ASK_EACH_TIME);
        }
    }

    private void send(RoutingContext context, ConsoleFile file, String caching) {
        HttpServerResponse response = protect(context.response(), caching)
                .putHeader("Content-Type", file.contentType())
                .putHeader("Vary", "Accept-Encoding");
        boolean compressed =
                new ScrapeAcceptHeader(context.request().getHeader("Accept-Encoding")).weight("gzip", "x-gzip", "*")
                        > 0;
        if (compressed) {
            response.putHeader("Content-Encoding", "gzip");
        }
        send.accept(context, compressed ? file.gzip() : file.bytes());
    }

    private static HttpServerResponse protect(HttpServerResponse response, String caching) {
        return ManagementBrowserSafety.protect(response)
                .putHeader("Content-Security-Policy", CONTENT_SECURITY_POLICY)
                .putHeader("Cache-Control", caching)
                .putHeader("Referrer-Policy", "no-referrer")
                .putHeader("Cross-Origin-Opener-Policy", "same-origin")
                .putHeader("Cross-Origin-Resource-Policy", "same-origin");
    }
}
