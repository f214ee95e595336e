package dev.sluice.webhook.intake;

import dev.sluice.bus.BusRequestDeadline;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import org.jspecify.annotations.Nullable;

/** Collects the body of one request, and refuses it if it exceeds the limits of size, rate, time or memory. */
public final class RequestBodyIntake {

    /**
     * The time in seconds for which a body may arrive more slowly than the minimum rate. The API server sends a review
     * at once, and TCP sends a lost packet again within a second.
     */
    private static final double GRACE_SECONDS = 2;

    /**
     * The minimum rate of a body in bytes per second. At this rate a body of 256 KiB takes 4 s. Within a cluster, the
     * bodies of the API server are always faster.
     */
    private static final double LEAST_BYTES_PER_SECOND = 64 * 1024;

    /**
     * The minimum memory, in bytes, that is taken from the budget at a time. It prevents a call of the budget for each
     * tiny chunk.
     */
    private static final int STEP = 4 * 1024;

    private static final double NANOS_PER_SECOND = 1e9;

    /** Receives the result. One of the two methods is called, or none if the client has closed the connection. */
    public interface BodyOutcome {
        /** Receives the complete body. The receiver must release it. */
        void complete(WholeBody body);

        void refused(int status, String sentence);
    }

    private final BodyLimits limits;
    private final BusRequestDeadline deadline;
    private final BodyOutcome outcome;
    private final BodyBytes bytes;
    private final long begun = System.nanoTime();
    private final MemoryBudget.Hold hold;
    private long granted;
    private boolean ended;
    private @Nullable WholeBody complete;

    private RequestBodyIntake(BodyLimits limits, BusRequestDeadline deadline, BodyOutcome outcome) {
        this.limits = limits;
        this.deadline = deadline;
        this.outcome = outcome;
        this.bytes = new BodyBytes(limits.pieces());
        this.hold = limits.hold(this::giveWay);
    }

    /** Collects the body of a request. If the body is not complete at the deadline, it is refused. */
    public static void collect(
            HttpServerRequest request, BodyLimits limits, BusRequestDeadline deadline, BodyOutcome outcome) {
        RequestBodyIntake body = new RequestBodyIntake(limits, deadline, outcome);
        limits.started(body);
        request.handler(body::chunk);
        request.endHandler(_ -> body.complete());
        request.exceptionHandler(_ -> body.abandon());
        // Once the body is complete, Vert.x reports a closed connection only to the response.
        request.response().closeHandler(_ -> body.abandon());
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
        } else if (holds(bytes.length() + (long) chunk.length())) {
            bytes.append(chunk);
        } else {
            tooMany();
        }
    }

    private boolean holds(long length) {
        long missing = length - granted;
        if (missing <= 0) {
            return true;
        }
        // The first chunk is the whole body of an ordinary review, so only its own size is taken.
        long asked = granted == 0 ? missing : Math.max(missing, Math.min(STEP, limits.mostBytes() - granted));
        granted += asked;
        return hold.grow(asked);
    }

    private void tooLarge() {
        refuse(413, "the body is larger than " + limits.mostBytes() + " bytes");
    }

    private void tooMany() {
        refuse(503, "too many large requests at once");
    }

    /** Refuses this body because another body needs its memory. Any thread may call this method. */
    private void giveWay() {
        limits.runOnContext(() -> {
            tooMany();
            if (complete != null) {
                complete.drop();
            }
        });
    }

    void refuseAsStopping() {
        refuse(503, "this replica is stopping");
    }

    void checkPace(long now) {
        double seconds = (now - begun) / NANOS_PER_SECOND - GRACE_SECONDS;
        if (deadline.isOver()) {
            slow("the body did not arrive before the caller stops waiting");
        } else if (bytes.length() < seconds * LEAST_BYTES_PER_SECOND) {
            slow("the body arrives too slowly");
        }
    }

    private void slow(String sentence) {
        limits.count(ClientAbuseCause.SLOW_BODY);
        refuse(408, sentence);
    }

    private void complete() {
        if (ended) {
            return;
        }
        end();
        WholeBody body = new WholeBody(bytes, hold);
        complete = body;
        outcome.complete(body);
    }

    private void refuse(int status, String sentence) {
        if (!ended) {
            giveUp();
            outcome.refused(status, sentence);
        }
    }

    /**
     * Ends the collection because the client has closed the connection. If the body is being decided, its memory is
     * kept until the decision has ended.
     */
    private void abandon() {
        if (!ended) {
            giveUp();
        } else if (complete != null) {
            complete.abandon();
        }
    }

    private void giveUp() {
        end();
        bytes.drop();
        hold.release();
    }

    private void end() {
        ended = true;
        limits.ended(this);
    }
}
