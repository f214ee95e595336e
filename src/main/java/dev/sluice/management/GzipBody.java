package dev.sluice.management;

import dev.sluice.metrics.ScrapeAcceptHeader;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/**
 * Compresses answers for clients that accept gzip. A worker thread compresses one answer at a time, and is busy for at
 * most a quarter of the time. An answer for many clients is compressed only once. Vert.x is not used for this, because
 * it would compress an answer for each client, on an event loop that may also serve a gateway. Only one event loop may
 * use this class.
 */
final class GzipBody {

    /** The shortest answer, in bytes, that is compressed. A shorter one fits into one packet. */
    private static final int SHORTEST = 1_024;

    /**
     * The maximum number of characters of all answers that wait to be compressed. A single answer may be longer if no
     * other answer waits.
     */
    private static final int MOST_WAITING = 8 * 1024 * 1024;

    private final ManagementSharedAnswers<Buffer> compressed = new ManagementSharedAnswers<>(1);
    /** The answers that are not compressed yet. Clients that need the same answer share one entry. */
    private final Map<String, Future<Buffer>> waiting = new HashMap<>();

    private long waitingCharacters;

    /** Returns true if this answer is to be compressed for the client. */
    static boolean isWanted(HttpServerRequest request, String body) {
        return body.length() >= SHORTEST
                && new ScrapeAcceptHeader(request.getHeader("Accept-Encoding")).weight("gzip", "x-gzip", "*") > 0;
    }

    /** Returns the compressed answer. The future fails if too many other answers wait. */
    Future<Buffer> of(Vertx vertx, String body) {
        Future<Buffer> same = waiting.get(body);
        if (same != null) {
            return same;
        }
        if (!waiting.isEmpty() && waitingCharacters + body.length() > MOST_WAITING) {
            return Future.failedFuture("too many answers wait to be compressed");
        }
        Future<Buffer> asked = compressed.ask(
                vertx,
                body,
                () -> vertx.executeBlocking(() -> gzip(body), /* ordered= */ false)
                        .map(made -> Objects.requireNonNull(made)));
        waiting.put(body, asked);
        waitingCharacters += body.length();
        return asked.onComplete(_ -> {
            waiting.remove(body);
            waitingCharacters -= body.length();
        });
    }

    private static Buffer gzip(String body) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(body.length() / 4);
        try (Fast gzip = new Fast(bytes)) {
            gzip.write(body.getBytes(StandardCharsets.UTF_8));
        }
        return Buffer.buffer(bytes.toByteArray());
    }

    /**
     * Compresses with the fastest level. It takes a third of the time of the default level, and the result is only a
     * little larger.
     */
    private static final class Fast extends GZIPOutputStream {
        Fast(OutputStream out) throws IOException {
            super(out);
            def.setLevel(Deflater.BEST_SPEED);
        }
    }
}
