package dev.sluice.kube.watch;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;

/** A clock that jumps forward, as the clock of a process does whose machine was suspended. It never goes back. */
final class JumpingClock implements InstantSource {

    private final AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);

    @Override
    public Instant instant() {
        return Instant.now().plus(ahead.get());
    }

    void jump(RandomGenerator random) {
        jump(Duration.ofMillis(random.nextInt(10_000)));
    }

    void jump(Duration length) {
        ahead.updateAndGet(before -> before.plus(length));
    }
}
