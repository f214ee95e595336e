package dev.sluice.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class MetricNameTest {

    private static final Pattern IN_TABLE =
            Pattern.compile("`((?:gpu_webhook|jvm|netty|process|vertx)_[a-z_]+?)(_total|_info)?(\\{[a-z,]+})?`");

    @Test
    void theTableOfTheReadmeHasEveryMetricAndNoOther() throws IOException {
        Set<String> told = Files.readString(Path.of("README.md"))
                .lines()
                .filter(line -> line.matches("\\| `(gpu_webhook|jvm|netty|process|vertx)_.*"))
                .flatMap(line -> IN_TABLE.matcher(line).results())
                .map((MatchResult name) -> name.group(1))
                .collect(Collectors.toSet());

        assertThat(told)
                .containsExactlyInAnyOrderElementsOf(
                        Arrays.stream(MetricName.values()).map(MetricName::text).toList());
    }
}
