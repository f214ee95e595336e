package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The libraries that ship are those that were once looked at, byte by byte, before anything is packaged. */
class PinnedLibrariesTest {

    private static final List<Path> CLASS_PATH = Stream.of(
                    System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .map(Path::of)
            .toList();

    static Stream<Arguments> pinned() throws IOException {
        return Libraries.pinned().entrySet().stream().map(each -> arguments(each.getKey(), each.getValue()));
    }

    @ParameterizedTest
    @MethodSource("pinned")
    void isTheFileThatWasPinned(String name, String sha256) throws IOException {
        List<Path> found = CLASS_PATH.stream()
                .filter(path -> String.valueOf(path.getFileName()).equals(name))
                .toList();

        assertThat(found).as(Libraries.HOW_TO_RENEW).hasSize(1);
        assertThat(Map.of(name, Libraries.sha256(found.getFirst())))
                .as(Libraries.HOW_TO_RENEW)
                .isEqualTo(Map.of(name, sha256));
    }
}
