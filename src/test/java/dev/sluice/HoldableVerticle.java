package dev.sluice;

import io.vertx.core.VerticleBase;
import java.util.concurrent.CountDownLatch;

/** A verticle whose event loop a test can hold. */
public class HoldableVerticle extends VerticleBase {

    private final CountDownLatch held = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);

    /** Returns when the loop stands still. */
    public final void hold() throws InterruptedException {
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

    public final void release() {
        released.countDown();
    }
}
