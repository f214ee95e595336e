package dev.sluice.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code src/docs/doctor.md} tells every code, in the order of the code. */
class DoctorPageTest {

    private static final Pattern WORD = Pattern.compile("`([A-Za-z]+)`");

    @Test
    void thePageTellsEveryVerdict() throws IOException {
        assertThat(rows("## Verdicts")).isEqualTo(words(DiagnosisCode.values(), DiagnosisCode::word));
    }

    @Test
    void thePageTellsEveryFinding() throws IOException {
        assertThat(rows("## Findings")).isEqualTo(words(FindingCode.values(), FindingCode::word));
    }

    @Test
    void thePageTellsEveryReason() throws IOException {
        assertThat(WORD.matcher(section("## Reasons"))
                        .results()
                        .map(found -> found.group(1))
                        .toList())
                .isEqualTo(words(DiagnosedMismatchReason.values(), DiagnosedMismatchReason::word));
    }

    private static <T> List<String> words(T[] values, Function<T, String> word) {
        return Stream.of(values).map(word).toList();
    }

    private static List<String> rows(String heading) throws IOException {
        return section(heading)
                .lines()
                .filter(line -> line.startsWith("| `"))
                .map(line -> line.substring(3, line.indexOf('`', 3)))
                .toList();
    }

    private static String section(String heading) throws IOException {
        String page = Files.readString(Path.of("src/docs/doctor.md"));
        String rest = page.substring(page.indexOf(heading) + heading.length());
        int end = rest.indexOf("\n## ");
        return end < 0 ? rest : rest.substring(0, end);
    }
}
