package dev.sluice.webhook;

import io.vertx.core.Future;
import java.util.concurrent.Callable;

/** Where work is done that takes its time. */
interface ReviewExecutor {

    /** On the thread of the caller, and done when this returns. */
    ReviewExecutor HERE = new ReviewExecutor() {
        @Override
        public <T> Future<T> run(Callable<T> work) {
            try {
                return Future.succeededFuture(work.call());
            } catch (Exception fault) {
                return Future.failedFuture(fault);
            }
        }
    };

    <T> Future<T> run(Callable<T> work);
}
