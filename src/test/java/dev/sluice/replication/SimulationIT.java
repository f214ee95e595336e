package dev.sluice.replication;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.replication.PlantedMistakes.Planted;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

/** {@code -Dsimulation.schedules} sets the number of schedules, and {@code -Dsimulation.seed} the first seed. */
@Tag("campaign")
class SimulationIT {

    /** The seeds follow those of {@code SimulationTest}. */
    private static final long FIRST_SEED = 20_000;

    private static final long SCHEDULES_WITH_MISTAKE = 400_000;

    @Test
    void nothingIsAdmittedTwiceAndNothingLeaks() {
        long from = Long.getLong("simulation.seed", FIRST_SEED);
        long schedules = Long.getLong("simulation.schedules", 1_000_000);
        Simulation.Counts counts = new Simulation.Counts();
        assertThat(Simulation.firstFailure(from, from + schedules, counts)).isEmpty();
        LoggerFactory.getLogger(SimulationIT.class)
                .atInfo()
                .addKeyValue("given", counts.given)
                .addKeyValue("denied", counts.denied)
                .addKeyValue("takeovers", counts.takeovers)
                .log("All schedules went well");
    }

    static Stream<Planted> rareMistakes() {
        return Stream.of(Planted.values()).filter(Planted::isRare);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rareMistakes")
    void aRareMistakeIsFound(Planted planted, @TempDir Path directory) {
        assertThat(PlantedMistakes.firstFailure(planted, directory, SCHEDULES_WITH_MISTAKE))
                .isNotEmpty();
    }
}
