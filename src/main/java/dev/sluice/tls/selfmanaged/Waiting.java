package dev.sluice.tls.selfmanaged;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Lets a thread wait for what the event loop does. */
final class Waiting {

    private Waiting() {}

    static void until(CompletableFuture<Void> done) throws InterruptedException {
        try {
            var _ = done.get();
        } catch (ExecutionException failed) {
            throw new IllegalStateException("it could not be served", failed.getCause());
        }
    }
}
