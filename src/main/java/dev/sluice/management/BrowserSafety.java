package dev.sluice.management;

import io.vertx.core.http.HttpServerResponse;

/**
 * Sets the headers with which a browser may only show an answer. The browser does not guess another content type, does
 * not store the answer, runs no scripts of it and loads no resources for it. No CORS header is set, so scripts of other
 * origins cannot read the answer.
 */
final class BrowserSafety {

    private BrowserSafety() {}

    static HttpServerResponse protect(HttpServerResponse response) {
        return response.putHeader("X-Content-Type-Options", "nosniff")
                .putHeader("Cache-Control", "no-store")
                .putHeader("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
    }
}
