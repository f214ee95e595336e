package dev.sluice;

import dev.sluice.bus.EventBusLiveness;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.concurrent.CountDownLatch;

/** A verticle whose event loop a test can hold, and which says whether that loop turns. */
public final class HoldableVerticle extends VerticleBase {

    private final CountDownLatch held = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);

    @Override
    public Future<?> start() {
        EventBusLiveness.answer(vertx, context);
        return Future.succeededFuture();
    }

    /** Returns when the loop stands still. */
    public void hold() throws InterruptedException {
        context.runOnContext(_ -> {
            held.countDown();
            try {
                released.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        held.await();
    }

    public void release() {
        released.countDown();
    }
}
