package dev.sluice.kube.watch;

import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class ReflectorRelistPolicyTest {

    private final JumpingClock clock = new JumpingClock();
    private final ReflectorRelistPolicy policy =
            new ReflectorRelistPolicy(new WatchFreshnessProbe(clock, _ -> {}), clock, Duration.ofSeconds(16));

    @Test
    void theNextListComesAfterTenTimesTheTimeOfTheLastOne() {
        long length = TimeUnit.MILLISECONDS.toNanos(20);
        policy.listBegins();
        LockSupport.parkNanos(length);
        long end = System.nanoTime();
        policy.listEnds();
        assertThat(waitUntilAllowed() - end).isGreaterThanOrEqualTo(10 * length);
    }

    /** The machine was suspended, or an administrator has set the time. */
    @Test
    void aClockThatJumpsDuringAListDoesNotDelayTheNextOne() {
        long begin = System.nanoTime();
        policy.listBegins();
        clock.jump(Duration.ofMinutes(10));
        policy.listEnds();
        assertThat(NANOSECONDS.toSeconds(waitUntilAllowed() - begin)).isLessThan(30);
    }

    /** The process was paused, and the time that passes went on. */
    @Test
    void aPauseOfTheProcessDuringAListDelaysTheNextOneByFiveMinutesAtMost() {
        assertThat(ReflectorRelistPolicy.pauseAfter(TimeUnit.SECONDS.toNanos(20)))
                .isEqualTo(TimeUnit.SECONDS.toNanos(200));
        assertThat(ReflectorRelistPolicy.pauseAfter(TimeUnit.MINUTES.toNanos(20)))
                .isEqualTo(TimeUnit.MINUTES.toNanos(5));
    }

    @Test
    void aListThatIsNeededByAServerThatWorksIsAllowedAtOnce() {
        policy.listBegins();
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
        policy.listEnds();
        assertThat(policy.isAllowed()).isFalse();
        policy.allowAtOnce();
        assertThat(policy.isAllowed()).isTrue();
    }

    /** Returns the value of {@link System#nanoTime} at that moment, or after 30 s. */
    private long waitUntilAllowed() {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!policy.isAllowed() && System.nanoTime() < end) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
        return System.nanoTime();
    }
}
