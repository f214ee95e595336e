package dev.sluice.webhook.intake;

import io.netty.buffer.Unpooled;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.buffer.BufferInternal;

/** An HTTP response with its status, content type and body. */
public record IntakeHttpAnswer(int status, String contentType, Buffer body) {

    /**
     * Returns the response that contains the answer to a review. The bytes are not copied, so nobody may change them
     * afterwards.
     */
    public static IntakeHttpAnswer review(byte[] json) {
        return new IntakeHttpAnswer(200, "application/json", BufferInternal.buffer(Unpooled.wrappedBuffer(json)));
    }

    /** Returns a response with one sentence of plain text. */
    public static IntakeHttpAnswer plain(int status, String sentence) {
        return new IntakeHttpAnswer(status, "text/plain; charset=utf-8", Buffer.buffer(sentence + "\n"));
    }
}
