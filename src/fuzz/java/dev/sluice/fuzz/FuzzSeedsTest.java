package dev.sluice.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs each target without the fuzzer: on its seeds, and on seeds that were changed by chance. The chance is the same
 * in every build, so that a build fails for what was changed in the code.
 */
class FuzzSeedsTest {

    private static final int CHANGED_SEEDS = 1000;

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
    void holdsForSeedsThatWereChanged(FuzzTarget target) throws IOException {
        List<byte[]> seeds = new ArrayList<>();
        for (Path seed : listed(target.seeds())) {
            seeds.add(Files.readAllBytes(seed));
        }
        SeedChanges changes = new SeedChanges(seeds, new Random(1));
        for (int i = 0; i < CHANGED_SEEDS; i++) {
            byte[] input = changes.next();
            try {
                target.tryOnce(input);
            } catch (RuntimeException | Error e) {
                throw new AssertionError(
                        "input %d, in Base64: %s"
                                .formatted(i, Base64.getEncoder().encodeToString(input)),
                        e);
            }
        }
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
