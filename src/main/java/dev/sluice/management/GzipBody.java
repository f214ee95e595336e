package dev.sluice.management;

import dev.sluice.metrics.AcceptHeader;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Objects;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/**
 * Compresses answers for clients that accept gzip. A worker thread compresses one answer at a time, for at most a
 * quarter of its time, and equal answers that wait are compressed once. Vert.x' own compression would run on the event
 * loop, which may also serve a gateway, and for each client again. Only one event loop may use it.
 */
final class GzipBody {

    /** The shortest answer, in bytes, that is compressed. A shorter one fits into one packet. */
    private static final int SHORTEST = 1_024;

    private final SharedAnswers<Buffer> compressed = new SharedAnswers<>(1);

    /** Returns true if this answer is to be compressed for the client. */
    static boolean isWanted(HttpServerRequest request, Buffer body) {
        return body.length() >= SHORTEST
                && new AcceptHeader(request.getHeader("Accept-Encoding")).weight("gzip", "x-gzip", "*") > 0;
    }

    /** Returns the compressed answer. The future fails if too many other answers wait. */
    Future<Buffer> of(Vertx vertx, Buffer body) {
        return compressed.ask(
                vertx,
                body,
                () -> vertx.executeBlocking(() -> gzip(body), /* ordered= */ false)
                        .map(made -> Objects.requireNonNull(made)));
    }

    private static Buffer gzip(Buffer body) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(body.length() / 4);
        try (Fast gzip = new Fast(bytes)) {
            gzip.write(body.getBytes());
        }
        return Buffer.buffer(bytes.toByteArray());
    }

    /** Compresses at the fastest level, which takes a third of the time of the usual one and loses little. */
    private static final class Fast extends GZIPOutputStream {
        Fast(OutputStream out) throws IOException {
            super(out);
            def.setLevel(Deflater.BEST_SPEED);
        }
    }
}
