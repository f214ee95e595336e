package dev.sluice.webhook;

import dev.sluice.record.observe.AdmissionObserver;
import dev.sluice.webhook.intake.AbuseCause;
import dev.sluice.webhook.intake.AbuseCounter;
import dev.sluice.webhook.intake.MemoryBudget;
import dev.sluice.webhook.intake.WholeBody;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.util.Objects;
import java.util.concurrent.Callable;

/**
 * Reviews that would hold an event loop for too long are worked on by two threads of the process, whatever the number
 * of its loops: one for those of medium size, and one for the large ones, which the others do not wait for.
 */
public final class ReviewWorkers {

    /**
     * Larger reviews do not run on an event loop. Ordinary reviews have 5 KB. The slowest ones take about a millisecond
     * for each KiB (HeldLoopTest), and a loop may be held for 50 ms at most.
     */
    static final int AT_ONCE = 32 * 1024;

    /** A larger review is a large one: its memory comes from the share of large bodies. */
    private static final int MEDIUM = MemoryBudget.SMALL_BYTES;

    private final Admissions medium;
    private final Admissions large;
    private final AbuseCounter causes;

    /** A process has one of these. */
    public ReviewWorkers(
            Vertx vertx, Admissions.ReviewDecider decision, AdmissionObserver observer, AbuseCounter causes) {
        this.medium = new Admissions(decision, observer, on(vertx, "medium-reviews"));
        this.large = new Admissions(decision, observer, on(vertx, "large-reviews"));
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

    Future<GatewayAnswer> answer(WholeBody body, DecisionInputs moment) {
        return (body.length() > MEDIUM ? large : medium).answer(body, moment);
    }

    /** Counts and words the refusal of a review that could not be answered before its caller stops to wait. */
    String tooLate() {
        causes.add(AbuseCause.LATE_DECISION);
        return "the review could not be decided in time";
    }
}
