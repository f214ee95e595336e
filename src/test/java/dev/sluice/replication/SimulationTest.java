package dev.sluice.replication;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.replication.PlantedMistakes.Planted;
import java.nio.file.Path;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs three replicas in a network, with an API server and in a time that are all simulated. {@code SimulationIT} runs
 * more schedules. A schedule that fails is run again with {@code Simulation.traced}.
 */
class SimulationTest {

    private static final long SCHEDULES = 2_000;
    /** Enough for the mistakes that are found in every build; {@code SimulationIT} looks for the others. */
    private static final long SCHEDULES_WITH_MISTAKE = 20_000;

    static LongStream seeds() {
        return LongStream.range(0, 10).map(chunk -> chunk * SCHEDULES);
    }

    /**
     * Shows availability-mode.md F5, availability-mode.md F6, availability-mode.md F8, availability-mode.md F12,
     * availability-mode.md F13, availability-mode.md F19.
     */
    @ParameterizedTest(name = "schedules from seed {0}")
    @MethodSource("seeds")
    void nothingIsAdmittedTwiceAndNothingLeaks(long from) {
        Simulation.Counts counts = new Simulation.Counts();
        assertThat(Simulation.firstFailure(from, from + SCHEDULES, counts)).isEmpty();
        assertThat(counts.given).isGreaterThan(SCHEDULES);
        assertThat(counts.denied).isGreaterThan(SCHEDULES);
        assertThat(counts.takeovers).isGreaterThan(SCHEDULES);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {138_224, 219_988, 257_337, 321_609, 388_033, 570_929, 825_316, 843_726, 4_517_492})
    void aScheduleThatFailedOnceGoesWell(long seed) {
        assertThat(Simulation.firstFailure(seed, seed + 1)).isEmpty();
    }

    @Test
    void theSameSeedGivesTheSameSchedule() {
        assertThat(Simulation.traced(7)).isEqualTo(Simulation.traced(7)).hasSizeGreaterThan(100);
    }

    static Stream<Planted> plantedMistakes() {
        return Stream.of(Planted.values()).filter(planted -> !planted.isRare());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("plantedMistakes")
    void aPlantedMistakeIsFound(Planted planted, @TempDir Path directory) {
        assertThat(PlantedMistakes.firstFailure(planted, directory, SCHEDULES_WITH_MISTAKE))
                .isNotEmpty();
    }
}
