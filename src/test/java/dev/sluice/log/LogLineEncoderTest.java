package dev.sluice.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.OutputStreamAppender;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;

class LogLineEncoderTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String HOSTILE = "a\"b\\c\n{\"level\":\"ERROR\"}\u202e\u0000\t";

    private final LoggerContext context = new LoggerContext();

    private LoggingEvent event(String message, @Nullable Throwable fault) {
        Logger logger = context.getLogger("dev.sluice.decisions");
        LoggingEvent event = new LoggingEvent("", logger, Level.INFO, message, fault, new Object[0]);
        event.setInstant(Instant.parse("2026-01-31T12:00:00.123Z"));
        return event;
    }

    private static LogLines appendedTo(Logger logger) {
        LogLines seen = new LogLines();
        logger.addAppender(seen);
        return seen;
    }

    private String line(String message, KeyValuePair pair, Throwable fault) {
        LoggingEvent event = event(message, fault);
        event.addKeyValuePair(pair);
        return new String(new LogLineEncoder(LogFormat.JSON).encode(event), StandardCharsets.UTF_8);
    }

    @Test
    void aLineIsAnObjectWithItsKeys() throws Exception {
        String line = line("pod team/train changed", new KeyValuePair("micros", 12L), new IllegalStateException("x"));

        JsonNode read = JSON.readTree(line);
        assertThat(line).endsWith("}\n").containsOnlyOnce("\n");
        assertThat(read.path("time").asText()).isEqualTo("2026-01-31T12:00:00.123Z");
        assertThat(read.path("level").asText()).isEqualTo("INFO");
        assertThat(read.path("message").asText()).isEqualTo("pod team/train changed");
        assertThat(read.path("micros").isIntegralNumber()).isTrue();
        assertThat(read.path("stack").asText()).contains("IllegalStateException: x");
    }

    /** The fault may quote what the program printed, which may be a token. */
    @Test
    void aFaultOfACredentialProgramIsNotShown() {
        Logger logger = context.getLogger("io.fabric8.kubernetes.client.internal.KubeConfigUtils");
        LoggingEvent event = new LoggingEvent(
                "", logger, Level.WARN, "no credential", new IllegalArgumentException("secret"), new Object[0]);
        event.setInstant(Instant.parse("2026-01-31T12:00:00.123Z"));

        for (LogFormat format : LogFormat.values()) {
            assertThat(new String(new LogLineEncoder(format).encode(event), StandardCharsets.UTF_8))
                    .contains("no credential")
                    .doesNotContain("secret", "Exception", "\tat ");
        }
    }

    @Test
    void whatOthersWroteStaysInItsValue() throws Exception {
        String line = line(HOSTILE, new KeyValuePair("uid", HOSTILE), new IllegalStateException(HOSTILE));

        JsonNode read = JSON.readTree(line);
        assertThat(line).containsOnlyOnce("\n").doesNotContain("\u202e");
        assertThat(List.copyOf(read.properties()).stream().map(field -> field.getKey()))
                .containsExactly("time", "level", "message", "uid", "stack");
        assertThat(read.path("message").asText()).isEqualTo(HOSTILE);
        assertThat(read.path("uid").asText()).isEqualTo(HOSTILE);
    }

    @Test
    void whatIsLongIsCut() {
        assertThat(line(
                        "m".repeat(100_000),
                        new KeyValuePair("uid", "u".repeat(100_000)),
                        new Error("e".repeat(100_000))))
                .hasSizeLessThan(100_000);
    }

    @Test
    void theLogAsShippedWritesJsonOnceItIsAsked() throws Exception {
        JoranConfigurator configurator = new JoranConfigurator();
        configurator.setContext(context);
        configurator.doConfigure(Objects.requireNonNull(LossCounter.class.getResource("/logback.xml")));

        LogFormat.use(context);

        LossCounter lines = (LossCounter)
                context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).getAppender("ASYNC");
        BatchedLogAppender decisions = (BatchedLogAppender)
                context.getLogger(BatchedLogAppender.DECISIONS).getAppender("BATCHED");
        assertThat(Stream.of((OutputStreamAppender<ILoggingEvent>) lines.getAppender("STDERR"), decisions)
                        .map(appender -> ((LogLineEncoder) appender.getEncoder()).format()))
                .containsOnly(LogFormat.JSON);
        context.stop();
    }

    @Test
    void aLineOfTextHasItsKeysBehindTheMessage() {
        LogLineEncoder encoder = new LogLineEncoder();
        LoggingEvent event = event("pod team/train changed", null);
        event.addKeyValuePair(new KeyValuePair("micros", 12));
        event.addKeyValuePair(new KeyValuePair("uid", "a\"b"));

        assertThat(new String(encoder.encode(event), StandardCharsets.UTF_8))
                .isEqualTo("2026-01-31T12:00:00.123Z INFO  pod team/train changed micros=\"12\" uid=\"a\\\"b\"\n");
    }

    @Test
    void whatTheSentenceSaysIsAKeyForProgramsOnly() throws Exception {
        Logger logger = context.getLogger("dev.sluice.decisions");
        LogLines seen = appendedTo(logger);
        LogLineEvent.info(logger, "pod team/train changed", keys -> {
            keys.addRepeated("namespace", "team");
            keys.add("reason", "NotOffered");
        });

        ILoggingEvent event = seen.list.getFirst();
        JsonNode json = JSON.readTree(new LogLineEncoder(LogFormat.JSON).encode(event));
        assertThat(json.path("namespace").asText()).isEqualTo("team");
        assertThat(new String(new LogLineEncoder().encode(event), StandardCharsets.UTF_8))
                .endsWith("pod team/train changed reason=\"NotOffered\"\n");
    }

    @Test
    void everyLineHasItsOwnTime() {
        LogLineEncoder encoder = new LogLineEncoder();
        for (String time : List.of(
                "1969-12-31T23:59:59.999Z",
                "1970-01-01T00:00:00.000Z",
                "2026-01-31T12:00:00.007Z",
                "2026-01-31T12:00:00.070Z",
                "2026-01-31T12:00:01.700Z",
                "2026-01-31T12:00:00.007Z")) {
            LoggingEvent event = event("x", null);
            event.setInstant(Instant.parse(time));

            assertThat(new String(encoder.encode(event), StandardCharsets.UTF_8))
                    .startsWith(time + " ");
        }
    }

    @Test
    void anEventThatWritesItsKeysIsALineLikeAnyOther() {
        Logger logger = context.getLogger("dev.sluice.decisions");
        LogLines seen = appendedTo(logger);

        LogLineEvent.info(logger, "m", fields -> {
            fields.add("a", "x");
            fields.add("b", 7);
            fields.add("c", true);
        });
        logger.setLevel(Level.WARN);
        LogLineEvent.info(logger, "not enabled", _ -> {});

        assertThat(seen.list).singleElement().satisfies(event -> {
            assertThat(event.getKeyValuePairs()).hasToString("[a=\"x\", b=\"7\", c=\"true\"]");
            assertThat(new String(new LogLineEncoder(LogFormat.JSON).encode(event), StandardCharsets.UTF_8))
                    .endsWith("\"level\":\"INFO\",\"message\":\"m\",\"a\":\"x\",\"b\":7,\"c\":true}\n");
            assertThat(new String(new LogLineEncoder().encode(event), StandardCharsets.UTF_8))
                    .endsWith(" INFO  m a=\"x\" b=\"7\" c=\"true\"\n");
        });
    }
}
