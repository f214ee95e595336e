package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.sluice.config.WrittenPolicy;
import dev.sluice.log.BatchedLogAppender;
import dev.sluice.log.LogLines;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** A gateway that has answered reviews of its own before it was ready. */
class WarmedUpGatewayTest {

    private static final String WARMED_UP = "warmed up";

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"", "policy: { mode: availability, whenExhausted: deny }"})
    void tellsNobody(String text) throws Exception {
        LogLines lines = new LogLines();
        Logger log = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        Logger decisions = (Logger) LoggerFactory.getLogger(BatchedLogAppender.DECISIONS);
        log.addAppender(lines);
        decisions.addAppender(lines);
        try (GatewayUnderTest gateway = GatewayUnderTest.warmedUp(WrittenPolicy.of(text, directory), 12)) {
            assertThat(List.copyOf(lines.list).stream().map(ILoggingEvent::getLoggerName))
                    .doesNotContain(BatchedLogAppender.DECISIONS);
            List<String> messages = List.copyOf(lines.list).stream()
                    .map(ILoggingEvent::getMessage)
                    .toList();
            assertThat(messages).contains(WARMED_UP);
            assertThat(messages.subList(0, messages.indexOf(WARMED_UP))).doesNotContain("this gateway decides now");
            assertThat(gateway.page("/api/v1/decisions")).contains("\"decisions\":[]");
            assertThat(gateway.page("/metrics").lines())
                    .filteredOn(line -> line.startsWith("gpu_webhook_decisions_total")
                            || line.startsWith("gpu_webhook_review_duration_seconds_count"))
                    .isNotEmpty()
                    .allMatch(line -> line.endsWith(" 0") || line.endsWith(" 0.0"));
        } finally {
            log.detachAppender(lines);
            decisions.detachAppender(lines);
        }
        assertThat(List.copyOf(lines.list)).noneMatch(line -> line.getLevel().isGreaterOrEqual(Level.ERROR));
    }
}
