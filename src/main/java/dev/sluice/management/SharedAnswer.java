package dev.sluice.management;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An answer that is expensive to make, so that many requests could keep the processor busy. All requests that wait when
 * the maker begins share its result, and after each result the maker pauses for three times as long as it took. Nobody
 * gets an answer that is older than the question. One event loop uses it.
 */
final class SharedAnswer<T> {

    private static final int REST = 3;

    private final Supplier<Future<T>> maker;
    /** The answer to the requests that have come since the maker last began. */
    private @Nullable Promise<T> next;

    private boolean busy;

    /** @param maker is called on the event loop of whoever asks */
    SharedAnswer(Supplier<Future<T>> maker) {
        this.maker = maker;
    }

    /** Fails as the making does. */
    Future<T> ask(Vertx vertx) {
        Promise<T> mine = next == null ? Promise.promise() : next;
        next = mine;
        makeIfIdle(vertx);
        return mine.future();
    }

    private void makeIfIdle(Vertx vertx) {
        Promise<T> asked = next;
        if (asked == null || busy) {
            return;
        }
        next = null;
        busy = true;
        long begin = System.nanoTime();
        maker.get().onComplete(made -> {
            long rest = REST * (System.nanoTime() - begin);
            // A timer of Vert.x takes at least a millisecond.
            vertx.timer(Math.max(1, TimeUnit.NANOSECONDS.toMillis(rest)), TimeUnit.MILLISECONDS)
                    .onSuccess(_ -> {
                        busy = false;
                        makeIfIdle(vertx);
                    });
            asked.handle(made);
        });
    }
}
