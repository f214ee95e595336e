package dev.sluice.it;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** For attackers who let time pass. */
final class Pause {

    private Pause() {}

    static void millis(long millis) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    /** Until this moment of {@code System.nanoTime()}. */
    static void until(long endNanos) {
        for (long left = endNanos - System.nanoTime(); left > 0; left = endNanos - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
