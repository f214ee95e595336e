package dev.sluice.management;

import io.vertx.core.http.HttpServerResponse;

/**
 * Sets the headers that prevent a browser from using an answer for anything but showing it. The browser does not guess
 * another content type, does not store the answer, and does not run scripts or load resources of it. No header allows
 * other origins (CORS).
 */
final class BrowserSafety {

    private BrowserSafety() {}

    static HttpServerResponse protect(HttpServerResponse response) {
        return response.putHeader("X-Content-Type-Options", "nosniff")
                .putHeader("Cache-Control", "no-store")
                .putHeader("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
    }
}
