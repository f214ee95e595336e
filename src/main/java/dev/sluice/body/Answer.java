package dev.sluice.body;

import io.vertx.core.buffer.Buffer;

/** What goes back over HTTP. */
public record Answer(int status, String contentType, Buffer body) {

    public static Answer review(byte[] json) {
        return new Answer(200, "application/json", Buffer.buffer(json));
    }

    /** One plain sentence. */
    public static Answer plain(int status, String sentence) {
        return new Answer(status, "text/plain; charset=utf-8", Buffer.buffer(sentence + "\n"));
    }
}
