package dev.sluice.management;

import dev.sluice.bus.LedgerCopyReply;
import dev.sluice.bus.LedgerCopyReply.LedgerCopyQuestion;
import dev.sluice.bus.Service;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Requests copies of the ledger, which counts the devices in use, from the verticle that owns it. A copy is requested
 * at most once a second, and less often if copying takes long. Copying takes at most a twentieth of that verticle's
 * time. Until the next request, all answers use the same copy. Only one event loop may use this class.
 */
final class ManagementLedgerCopies {

    /** The minimum time for which a copy is used. A user does not notice a delay of a second. */
    private static final Duration SHORTEST_USE = Duration.ofSeconds(1);

    /** A copy is used for this many times as long as its creation took. */
    private static final int USE = 20;

    /**
     * The maximum time for which a copy is used. Without this limit, answers would be outdated for minutes if the
     * process was paused while it created a copy.
     */
    private static final Duration LONGEST_USE = Duration.ofSeconds(20);

    private final Vertx vertx;
    private @Nullable Future<LedgerCopyReply> copy;
    private long copyIsUsedUntil;

    ManagementLedgerCopies(Vertx vertx) {
        this.vertx = vertx;
    }

    /** Returns a copy. The future fails if the verticle that owns the ledger does not answer. */
    Future<LedgerCopyReply> newest() {
        Future<LedgerCopyReply> newest = copy;
        if (newest != null && (!newest.isComplete() || System.nanoTime() - copyIsUsedUntil < 0)) {
            return newest;
        }
        long begin = System.nanoTime();
        Future<LedgerCopyReply> asked = Service.LEDGER_COPY.ask(vertx, new LedgerCopyQuestion());
        copy = asked.onComplete(made -> {
            long now = System.nanoTime();
            copyIsUsedUntil = now + useNanos(made.succeeded() ? now - begin : 0);
        });
        return copy;
    }

    /** Returns for how many nanoseconds a copy is used whose creation took this many nanoseconds. */
    static long useNanos(long nanos) {
        return Math.clamp(USE * nanos, SHORTEST_USE.toNanos(), LONGEST_USE.toNanos());
    }
}
