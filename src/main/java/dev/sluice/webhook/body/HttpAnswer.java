package dev.sluice.webhook.body;

import io.vertx.core.buffer.Buffer;

/** An HTTP response. */
public record HttpAnswer(int status, String contentType, Buffer body) {

    public static HttpAnswer review(byte[] json) {
        return new HttpAnswer(200, "application/json", Buffer.buffer(json));
    }

    /** A response with one sentence of plain text. */
    public static HttpAnswer plain(int status, String sentence) {
        return new HttpAnswer(status, "text/plain; charset=utf-8", Buffer.buffer(sentence + "\n"));
    }
}
