package dev.sluice.webhook.intake;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The limits for the bodies on one event loop, and the unfinished bodies on it. Each verticle that receives bodies has
 * one instance.
 */
public final class BodyLimits {

    /**
     * The period in milliseconds at which the rate of each body is checked. It is much shorter than the timeout of a
     * client.
     */
    private static final long CHECK_MILLIS = 100;

    private static final long NO_TIMER = -1;

    private final long mostBytes;
    private final MemoryBudget budget;
    private final BodyPiecePool pieces;
    private final ClientAbuseCounter abuse;
    private final Vertx vertx;
    private final Context context;
    private final Set<RequestBodyIntake> unfinished = new HashSet<>();
    private long timer = NO_TIMER;

    public BodyLimits(Vertx vertx, Context context, long mostBytes, IntakeSharedLimits shared) {
        this.vertx = vertx;
        this.context = context;
        this.mostBytes = mostBytes;
        this.budget = shared.budget();
        this.pieces = shared.pieces();
        this.abuse = shared.abuse();
    }

    long mostBytes() {
        return mostBytes;
    }

    MemoryBudget.Hold hold(Runnable giveWay) {
        return budget.begin(giveWay);
    }

    BodyPiecePool pieces() {
        return pieces;
    }

    void count(ClientAbuseCause cause) {
        abuse.add(cause);
    }

    void runOnContext(Runnable task) {
        context.runOnContext(_ -> task.run());
    }

    void started(RequestBodyIntake body) {
        unfinished.add(body);
        if (timer == NO_TIMER) {
            timer = vertx.setPeriodic(CHECK_MILLIS, _ -> checkPace());
        }
    }

    private void checkPace() {
        if (unfinished.isEmpty()) {
            var _ = vertx.cancelTimer(timer);
            timer = NO_TIMER;
            return;
        }
        long now = System.nanoTime();
        List.copyOf(unfinished).forEach(body -> body.checkPace(now));
    }

    /** Removes a body that is complete, was refused, or whose client has closed the connection. */
    void ended(RequestBodyIntake body) {
        unfinished.remove(body);
    }

    /** Refuses all unfinished bodies, because this replica is stopping. */
    public void refuseUnfinished() {
        List.copyOf(unfinished).forEach(RequestBodyIntake::refuseAsStopping);
    }
}
