package dev.sluice.management;

import dev.sluice.webhook.intake.ConnectionTracking;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerResponse;
import java.util.Map;

/**
 * Sets headers that restrict what a browser does with a response. The browser does not guess the content type, does not
 * store the response, runs no scripts in it and loads no resources for it. No CORS header is set, so scripts of other
 * origins cannot read the response.
 */
final class ManagementBrowserSafety {

    private static final Map<String, String> HEADERS = Map.of(
            "X-Content-Type-Options", "nosniff",
            "Cache-Control", "no-store",
            "Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");

    private ManagementBrowserSafety() {}

    static HttpServerResponse protect(HttpServerResponse response) {
        HEADERS.forEach(response::putHeader);
        return response;
    }

    /**
     * Sets the headers on responses that Vert.x creates itself, for example because a header of the request is too
     * long, or because the request has another version of HTTP.
     */
    static void protect(HttpConnection connection) {
        ConnectionTracking.addMissingHeaders(connection, HEADERS);
    }
}
