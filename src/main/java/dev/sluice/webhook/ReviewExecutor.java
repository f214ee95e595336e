package dev.sluice.webhook;

import io.vertx.core.Future;
import java.util.concurrent.Callable;

interface ReviewExecutor {

    /** Runs the work on the thread of the caller. */
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
