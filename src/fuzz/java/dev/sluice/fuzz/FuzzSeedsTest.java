package dev.sluice.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The corpus without the fuzzer: what was found once stays found. */
class FuzzSeedsTest {

    static Stream<Arguments> seeds() throws IOException {
        Stream.Builder<Arguments> seeds = Stream.builder();
        for (FuzzTarget target : FuzzTarget.values()) {
            for (Path seed : listed(target.seeds())) {
                seeds.add(arguments(target, seed.getFileName().toString()));
            }
        }
        return seeds.build();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void holdsForEverySeed(FuzzTarget target, String seed) throws IOException {
        target.tryOnce(Files.readAllBytes(target.seeds().resolve(seed)));
    }

    @ParameterizedTest
    @EnumSource
    void holdsForNothingAtAll(FuzzTarget target) {
        target.tryOnce(new byte[0]);
    }

    @Test
    void everyDirectoryOfSeedsIsOfATargetAndTheOtherWayRound() throws IOException {
        assertThat(listed(FuzzTarget.CORPUS))
                .containsExactlyInAnyOrderElementsOf(
                        Stream.of(FuzzTarget.values()).map(FuzzTarget::seeds).toList());
    }

    private static List<Path> listed(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.sorted().toList();
        }
    }
}
