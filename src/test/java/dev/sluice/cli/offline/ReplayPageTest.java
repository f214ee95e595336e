package dev.sluice.cli.offline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.offline.ReplayOmissions.LeftOutCause;
import dev.sluice.cli.offline.ReplayedPod.Difference;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code src/docs/replay.md} lists each value of the closed lists in the JSON, in the order of the code. */
class ReplayPageTest {

    private static final Pattern DIFFERENCE = Pattern.compile("(?m)^\\| `([a-z][A-Za-z ]+)` \\| `\\w+` \\| [^|]+ \\|$");
    private static final Pattern CAUSE = Pattern.compile("(?m)^\\| `([A-Z_]+)` \\| [^|]+ \\| (2|) ?\\|$");

    @Test
    void thePageListsEveryDifference() throws IOException {
        assertThat(DIFFERENCE.matcher(page()).results().map(row -> row.group(1)))
                .containsExactlyElementsOf(
                        Stream.of(Difference.values()).map(Difference::words).toList());
    }

    @Test
    void thePageListsEveryCauseAndWhichOfThemEndWithTwo() throws IOException {
        assertThat(CAUSE.matcher(page()).results().map(row -> row.group(1) + " " + row.group(2)))
                .containsExactlyElementsOf(Stream.of(LeftOutCause.values())
                        .map(cause -> cause + (cause.isUnreadable() ? " 2" : " "))
                        .toList());
    }

    private static String page() throws IOException {
        return Files.readString(Path.of("src/docs/replay.md"));
    }
}
