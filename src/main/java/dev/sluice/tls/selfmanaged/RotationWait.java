package dev.sluice.tls.selfmanaged;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Blocks the calling thread until an operation on an event loop is complete. */
final class RotationWait {

    private RotationWait() {}

    static void until(CompletableFuture<Void> done) throws InterruptedException {
        try {
            var _ = done.get();
        } catch (ExecutionException failed) {
            throw new IllegalStateException("it could not be served", failed.getCause());
        }
    }
}
