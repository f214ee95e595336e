package dev.sluice.webhook;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;

/**
 * Collects the body of one request within limits of size, of time, and of what all unfinished bodies together may hold.
 */
final class ReviewBody {

    /** Nobody waits longer: the API server gives a webhook at most 30 s (timeoutSeconds). */
    private static final long MOST_MILLIS = 30_000;

    /** Told how it ended; exactly one of the two is called. */
    interface Outcome {
        void complete(byte[] body);

        void refused(int status, String sentence);
    }

    private final BodyLimits limits;
    private final Outcome outcome;
    private final Buffer bytes = Buffer.buffer();
    private final long timer;
    private final Vertx vertx;
    private boolean ended;

    private ReviewBody(Vertx vertx, BodyLimits limits, Outcome outcome) {
        this.vertx = vertx;
        this.limits = limits;
        this.outcome = outcome;
        this.timer = vertx.setTimer(
                MOST_MILLIS, _ -> end(() -> outcome.refused(408, "the body did not arrive within 30 s")));
    }

    static void collect(Vertx vertx, HttpServerRequest request, BodyLimits limits, Outcome outcome) {
        ReviewBody body = new ReviewBody(vertx, limits, outcome);
        limits.begun(body);
        request.handler(body::chunk);
        request.endHandler(_ -> body.whole());
        // The client is gone: nobody is there to be answered.
        request.exceptionHandler(_ -> body.end(() -> {}));
        if (declaredLength(request) > limits.mostBytes()) {
            body.tooLarge();
        } else if (request.getHeader("Expect") != null) {
            request.response().writeContinue();
        }
    }

    private static long declaredLength(HttpServerRequest request) {
        String declared = request.getHeader("Content-Length");
        try {
            return declared == null ? 0 : Long.parseLong(declared);
        } catch (NumberFormatException beyondLong) {
            return Long.MAX_VALUE;
        }
    }

    private void chunk(Buffer chunk) {
        if (ended) {
            return;
        }
        if (bytes.length() + (long) chunk.length() > limits.mostBytes()) {
            tooLarge();
        } else if (limits.take(chunk.length())) {
            bytes.appendBuffer(chunk);
        } else {
            end(() -> outcome.refused(503, "too many large requests at once"));
        }
    }

    private void tooLarge() {
        end(() -> outcome.refused(413, "the body is larger than " + limits.mostBytes() + " bytes"));
    }

    void refuseAsStopping() {
        end(() -> outcome.refused(503, "this replica is stopping"));
    }

    private void whole() {
        end(() -> outcome.complete(bytes.getBytes()));
    }

    private void end(Runnable last) {
        if (!ended) {
            ended = true;
            var _ = vertx.cancelTimer(timer);
            try {
                last.run();
            } finally {
                // Only now: while a body is decided it takes more room than while it came.
                limits.ended(this, bytes.length());
            }
        }
    }
}
