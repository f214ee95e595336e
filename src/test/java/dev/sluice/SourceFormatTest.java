package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SourceFormatTest {

    @Test
    void everySourceFileIsFormatted() throws Exception {
        List<Path> unformatted = new ArrayList<>();
        for (Path file : SourceFormatter.sourcesBelow(Path.of("src"))) {
            String source = Files.readString(file);
            if (!SourceFormatter.format(source).equals(source)) {
                unformatted.add(file);
            }
        }
        assertThat(unformatted)
                .as("to format these files run: mvn -q test-compile exec:exec@format")
                .isEmpty();
    }
}
