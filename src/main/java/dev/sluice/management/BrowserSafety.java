package dev.sluice.management;

import io.vertx.core.http.HttpServerResponse;

/**
 * The headers that keep a browser from using an answer for anything but showing it: it neither guesses another content
 * type, nor stores the answer, nor runs or loads anything because of it. No header allows other origins (CORS).
 */
final class BrowserSafety {

    private BrowserSafety() {}

    static HttpServerResponse protect(HttpServerResponse response) {
        return response.putHeader("X-Content-Type-Options", "nosniff")
                .putHeader("Cache-Control", "no-store")
                .putHeader("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
    }
}
