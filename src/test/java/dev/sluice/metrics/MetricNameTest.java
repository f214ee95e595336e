package dev.sluice.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.prometheus.metrics.model.snapshots.Labels;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MetricNameTest {

    private static final Pattern IN_TABLE =
            Pattern.compile("`((?:gpu_webhook|jvm|netty|process|vertx)_[a-z_]+?)(_total|_info)?(\\{[a-z,]+})?`");

    @Test
    void thePageHasEveryMetricAndNoOther() throws IOException {
        Set<String> told = Files.readString(Path.of("src/docs/metrics.md"))
                .lines()
                .filter(line -> line.matches("\\| `(gpu_webhook|jvm|netty|process|vertx)_.*"))
                .flatMap(line -> IN_TABLE.matcher(line).results())
                .map((MatchResult name) -> name.group(1))
                .collect(Collectors.toSet());

        assertThat(told)
                .containsExactlyInAnyOrderElementsOf(
                        Arrays.stream(MetricName.values()).map(MetricName::text).toList());
    }

    @ParameterizedTest
    @EnumSource
    void everyMetricCanBeWritten(ScrapeFormat format) {
        PartMetricValues numbers = new PartMetricValues(Arrays.stream(MetricName.values())
                .collect(Collectors.toMap(Function.identity(), name -> Map.of(Labels.EMPTY, sample(name)))));

        String text = new String(format.of(numbers), StandardCharsets.UTF_8);

        for (MetricName name : MetricName.values()) {
            assertThat(text).contains("# TYPE " + name.text());
        }
    }

    private static MetricValue sample(MetricName name) {
        return switch (name.kind()) {
            case COUNTER, GAUGE, INFO -> new MetricValue.SingleNumber(1);
            case HISTOGRAM, SUMMARY -> new MetricValue.Distribution(List.of(Double.POSITIVE_INFINITY), List.of(1L), 1);
        };
    }
}
