package dev.sluice.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ProcessClockTest {

    private static final Instant START = Instant.parse("2026-11-27T10:00:00Z");

    private Instant timeOfDay = START;
    private long nanos = 5;
    private final ProcessClock clock = new ProcessClock(() -> timeOfDay, () -> nanos);

    private void pass(Duration time) {
        timeOfDay = timeOfDay.plus(time);
        nanos += time.toNanos();
    }

    @Test
    void theTimePasses() {
        pass(Duration.ofMillis(1_234));

        assertThat(clock.instant()).isEqualTo(START.plusMillis(1_234));
    }

    /** Another replica may have taken the lease meanwhile: availability-mode.md F19. */
    @Test
    void aMachineThatWasSuspendedKnowsHowLong() {
        pass(Duration.ofSeconds(3));
        timeOfDay = timeOfDay.plusSeconds(60);
        assertThat(clock.instant()).isEqualTo(START.plusSeconds(63));

        pass(Duration.ofSeconds(1));
        timeOfDay = timeOfDay.plusSeconds(20);
        assertThat(clock.instant()).isEqualTo(START.plusSeconds(84));
    }

    @Test
    void manyShortPausesAreNotOverlooked() {
        for (int i = 0; i < 100; i++) {
            timeOfDay = timeOfDay.plusMillis(1);
            pass(Duration.ofMillis(10));
        }

        assertThat(clock.instant()).isAfter(START.plusMillis(1_100 - 3));
    }

    /** Otherwise reservations would end too early, and a machine that is suspended later would not be noticed. */
    @Test
    void aProcessThatStandsStillWhileTheClockIsReadDoesNotGetAhead() {
        ProcessClock stopped = new ProcessClock(() -> timeOfDay, () -> {
            pass(Duration.ofSeconds(5));
            return nanos;
        });
        var _ = stopped.instant();
        timeOfDay = timeOfDay.minusSeconds(5);

        assertThat(stopped.instant()).isBeforeOrEqualTo(timeOfDay);
    }

    @Test
    void aClockThatIsSetBackChangesNothing() {
        pass(Duration.ofSeconds(10));
        timeOfDay = timeOfDay.minusSeconds(3_600);
        assertThat(clock.instant()).isEqualTo(START.plusSeconds(10));

        pass(Duration.ofSeconds(5));
        assertThat(clock.instant()).isEqualTo(START.plusSeconds(15));
    }

    @Test
    void aTimeOfDayThatCannotBeMeansNothing() {
        for (Instant wrong :
                new Instant[] {Instant.MIN, Instant.EPOCH, Instant.parse("9999-01-01T00:00:00Z"), Instant.MAX}) {
            timeOfDay = wrong;
            nanos += 1_000;
            assertThat(clock.instant()).isBetween(START, START.plusMillis(1));
        }
    }

    /** The clock of such a machine begins with 1970, until the machine learns the time from the network. */
    @Test
    void aMachineWithoutABatteryForItsClockLearnsTheTime() {
        Instant today = timeOfDay;
        timeOfDay = Instant.EPOCH;
        ProcessClock early = new ProcessClock(() -> timeOfDay, () -> nanos);
        timeOfDay = today;

        assertThat(early.instant()).isEqualTo(today);
        pass(Duration.ofSeconds(5));
        assertThat(early.instant()).isEqualTo(today.plusSeconds(5));
    }

    @Test
    void theClockNeverGoesBack() {
        timeOfDay = timeOfDay.plusSeconds(100);
        assertThat(clock.instant()).isEqualTo(START.plusSeconds(100));
        timeOfDay = timeOfDay.minusSeconds(100);

        assertThat(clock.instant()).isEqualTo(START.plusSeconds(100));
    }
}
