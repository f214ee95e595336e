package dev.sluice.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.verdict.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * {@code src/docs/annotations.md} lists every decision with its reasons, and every reason, in the order of the code.
 */
class DecisionWordsPageTest {

    private static final Pattern DECISION = Pattern.compile("(?m)^\\| `([a-z]+)` \\| [^|]+ \\| (`[A-Z][^|]+`) \\|$");
    private static final Pattern REASON = Pattern.compile("(?m)^\\| `([A-Z]\\w+)` \\| [^|]+ \\|$");

    @Test
    void thePageListsEveryDecisionWithItsReasons() throws IOException {
        assertThat(DECISION.matcher(page()).results().map(row -> row.group(1) + ": " + row.group(2)))
                .containsExactlyElementsOf(Stream.of(RecordedDecisionKind.values())
                        .map(kind -> kind.word() + ": " + inCode(kind.reasons()))
                        .toList());
    }

    @Test
    void thePageListsEveryReason() throws IOException {
        assertThat(REASON.matcher(page()).results().map(row -> row.group(1)))
                .containsExactlyElementsOf(
                        Stream.of(Reason.values()).map(Reason::word).toList());
    }

    private static String inCode(List<Reason> reasons) {
        return String.join(
                ", ", reasons.stream().map(reason -> "`" + reason.word() + "`").toList());
    }

    private static String page() throws IOException {
        return Files.readString(Path.of("src/docs/annotations.md"));
    }
}
