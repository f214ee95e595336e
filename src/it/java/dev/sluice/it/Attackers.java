package dev.sluice.it;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Many who do the same again and again, each after a pause and whatever came of it, until the time is over. */
final class Attackers implements GoodClient.Attack {

    /** How long an attack lasts; {@code -Dsiege.seconds} makes it longer. */
    static final Duration LENGTH = Duration.ofSeconds(Integer.getInteger("siege.seconds", 4));

    private final int many;
    private final Duration duration;
    private final Deed deed;
    private final AtomicInteger done = new AtomicInteger();

    /** What one of them does once. */
    interface Deed {
        void attempt(int attacker, long endNanos) throws IOException;
    }

    Attackers(int many, Duration duration, Deed deed) {
        this.many = many;
        this.duration = duration;
        this.deed = deed;
    }

    /** How often it was done without being cut off. */
    int done() {
        return done.get();
    }

    @Override
    public void run() {
        long end = System.nanoTime() + duration.toNanos();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < many; i++) {
                int attacker = i;
                var _ = threads.submit(() -> attack(attacker, end));
            }
        }
    }

    private void attack(int attacker, long end) {
        while (System.nanoTime() < end) {
            try {
                deed.attempt(attacker, end);
                done.incrementAndGet();
            } catch (IOException cutOff) {
                // That is what the gateway is expected to do.
            }
            Pause.millis(50);
        }
    }
}
