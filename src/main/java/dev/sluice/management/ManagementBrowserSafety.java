package dev.sluice.management;

import io.vertx.core.http.HttpServerResponse;

/**
 * Sets headers that restrict what a browser does with a response. The browser does not guess the content type, does not
 * store the response, runs no scripts in it and loads no resources for it. No CORS header is set, so scripts of other
 * origins cannot read the response.
 */
final class ManagementBrowserSafety {

    private ManagementBrowserSafety() {}

    static HttpServerResponse protect(HttpServerResponse response) {
        return response.putHeader("X-Content-Type-Options", "nosniff")
                .putHeader("Cache-Control", "no-store")
                .putHeader("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
    }
}
