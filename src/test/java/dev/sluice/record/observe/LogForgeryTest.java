package dev.sluice.record.observe;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import dev.sluice.admission.verdict.VerdictTexts;
import dev.sluice.log.BatchedLogAppender;
import dev.sluice.log.LogLines;
import dev.sluice.log.LossCounter;
import dev.sluice.record.SampleRecords;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** What a peer writes into a review cannot pass for a line of the log, or a key of one, as it is shipped. */
class LogForgeryTest {

    private static final Pattern PAIR = Pattern.compile("(\\w+)=\"((?:[^\"\\\\]|\\\\.)*)\"");

    private final Logger logger = (Logger) LoggerFactory.getLogger(BatchedLogAppender.DECISIONS);
    private final Logger requests = (Logger) LoggerFactory.getLogger(DecisionLog.class);
    private final LogLines lines = new LogLines();
    private final LoggerContext shipped = new LoggerContext();
    private Encoder<ILoggingEvent> encoder;

    @BeforeEach
    void listen() throws Exception {
        URL configuration = Objects.requireNonNull(LossCounter.class.getResource("/logback.xml"));
        JoranConfigurator configurator = new JoranConfigurator();
        configurator.setContext(shipped);
        configurator.doConfigure(configuration);
        LossCounter async = (LossCounter)
                shipped.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).getAppender("ASYNC");
        encoder = ((ConsoleAppender<ILoggingEvent>) async.getAppender("STDERR")).getEncoder();
        logger.addAppender(lines);
        requests.addAppender(lines);
    }

    @AfterEach
    void stop() {
        logger.detachAppender(lines);
        requests.detachAppender(lines);
        shipped.stop();
    }

    private String written() {
        return new String(encoder.encode(lines.list.getLast()), StandardCharsets.UTF_8);
    }

    private String line(String uid, String namespace, String name, String warning) {
        new DecisionLog()
                .log(SampleRecords.unchanged()
                        .uid(uid)
                        .pod(namespace, name)
                        .words(new VerdictTexts(List.of(warning), ""))
                        .record());
        return written();
    }

    private static List<String> decisions(String line) {
        Matcher pairs = PAIR.matcher(line);
        return pairs.results()
                .filter(pair -> pair.group(1).equals("decision"))
                .map(pair -> pair.group(2))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x\" decision=\"denied",
                "x\\\" decision=\"denied",
                "x\\",
                "x\n2026-01-01T00:00:00.000Z INFO  pod a/b denied decision=\"denied\"",
                "x\r\n\u0085\u2028\u2029",
                "\u202Edenied\u202C \u2066x\u2069 \u200F\u061C\uFEFF",
                "\u001B[2K\u001B[1A\u009B31m\u0007",
                "\uD800 lonely",
                "\u00A0\u3000"
            })
    void nothingIsForgedWhereverItStands(String evil) {
        for (String line : List.of(
                line(evil, "team", "train", "w"),
                line("u", evil, "train", "w"),
                line("u", "team", evil, "w"),
                line("u", "team", "train", evil))) {
            assertThat(line).endsWith("\n");
            assertThat(line.strip().codePoints()).allMatch(LogForgeryTest::isHarmless);
            assertThat(decisions(line)).containsExactly("unchanged");
        }
    }

    private static boolean isHarmless(int c) {
        int type = Character.getType(c);
        return type != Character.CONTROL
                && type != Character.FORMAT
                && type != Character.SURROGATE
                && type != Character.LINE_SEPARATOR
                && type != Character.PARAGRAPH_SEPARATOR;
    }

    @Test
    void lettersOfAllLanguagesStay() {
        assertThat(line("u", "team", "größe-東京", "w")).contains("größe-東京");
    }

    @Test
    void aLineIsNeverEndless() {
        String endless = "x\"\u0000".repeat(1_000_000);

        assertThat(line(endless, endless, endless, endless)).hasSizeLessThan(10_000);
    }

    @Test
    void aFaultCannotForgeLinesEither() {
        new DecisionLog().failed("u", new IllegalStateException("x\n2026 INFO  forged decision=\"denied\"\u001B[31m"));

        assertThat(written().lines().skip(1)).isNotEmpty().allMatch(line -> line.startsWith("\t"));
        assertThat(decisions(written())).isEmpty();
    }

    @Test
    void faultsThatAreProvokedLeaveFewStacks() {
        DecisionLog log = new DecisionLog();
        for (int i = 0; i < 1_000; i++) {
            log.failed("u" + i, new IllegalStateException("again"));
        }

        assertThat(lines.list).hasSize(1_000);
        assertThat(lines.list)
                .filteredOn(line -> line.getThrowableProxy() != null)
                .hasSize(10);
        assertThat(written()).contains("fault=\"java.lang.IllegalStateException: again\"");
    }
}
