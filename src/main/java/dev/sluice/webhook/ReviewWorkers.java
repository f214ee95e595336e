package dev.sluice.webhook;

import dev.sluice.record.observe.ReviewObserver;
import dev.sluice.webhook.intake.ClientAbuseCause;
import dev.sluice.webhook.intake.ClientAbuseCounter;
import dev.sluice.webhook.intake.MemoryBudget;
import dev.sluice.webhook.intake.WholeBody;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.util.Objects;
import java.util.concurrent.Callable;

/**
 * Runs reviews on two worker threads if they would block an event loop for too long. One thread is for medium reviews
 * and the other thread is for large reviews, so that medium reviews do not wait for large ones. A process has only one
 * instance, which all event loops share.
 */
public final class ReviewWorkers {

    /**
     * The size in bytes of the largest review that is handled on an event loop. Ordinary reviews have 5 KB. The slowest
     * reviews take about a millisecond for each KiB (HeldLoopTest), and an event loop may be blocked for 50 ms at most.
     */
    static final int AT_ONCE = 32 * 1024;

    /** The size in bytes of the largest medium review. The {@link MemoryBudget} counts larger bodies as large, too. */
    private static final int MEDIUM = MemoryBudget.SMALL_BYTES;

    private final GatewayAdmissions medium;
    private final GatewayAdmissions large;
    private final ClientAbuseCounter causes;

    /** Creates the two threads. */
    public ReviewWorkers(
            Vertx vertx, GatewayAdmissions.ReviewDecider decision, ReviewObserver observer, ClientAbuseCounter causes) {
        GatewayForwardRetries forwarding = new GatewayForwardRetries(vertx, observer);
        this.medium = new GatewayAdmissions(decision, forwarding, observer, on(vertx, "medium-reviews"));
        this.large = new GatewayAdmissions(decision, forwarding, observer, on(vertx, "large-reviews"));
        this.causes = causes;
    }

    private static ReviewExecutor on(Vertx vertx, String name) {
        WorkerExecutor thread = vertx.createSharedWorkerExecutor(name, 1);
        return new ReviewExecutor() {
            @Override
            public <T> Future<T> run(Callable<T> work) {
                return thread.executeBlocking(work, /* ordered= */ false).map(Objects::requireNonNull);
            }
        };
    }

    static boolean isFor(WholeBody body) {
        return body.length() > AT_ONCE;
    }

    Future<GatewayReviewAnswer> answer(WholeBody body, GatewayDecisionInputs moment) {
        return of(body).answer(body, moment);
    }

    /** Returns the answer to a review that another replica has forwarded to this one. */
    Future<GatewayReviewAnswer> answerForwarded(WholeBody body, GatewayDecisionInputs moment) {
        return of(body).answerForwarded(body, moment);
    }

    private GatewayAdmissions of(WholeBody body) {
        return body.length() > MEDIUM ? large : medium;
    }

    /**
     * Counts a review that was refused because it waited until its deadline, and returns the sentence of the refusal.
     */
    String tooLate() {
        causes.add(ClientAbuseCause.LATE_DECISION);
        return "the review could not be decided in time";
    }
}
