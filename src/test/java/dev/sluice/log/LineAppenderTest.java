package dev.sluice.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.slf4j.LoggerFactory;

@ResourceLock(Resources.SYSTEM_ERR)
class LineAppenderTest {

    private final Logger logger = (Logger) LoggerFactory.getLogger("test");
    private final LoggerContext context = logger.getLoggerContext();
    private final LineAppender appender = new LineAppender();
    private final AtomicLong accepted = new AtomicLong();
    private final PrintStream before = System.err;
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();

    @BeforeEach
    void start() {
        System.setErr(new PrintStream(written, /* autoFlush= */ true, StandardCharsets.UTF_8));
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern("%msg%n");
        encoder.start();
        appender.setContext(context);
        appender.setEncoder(encoder);
        appender.start();
    }

    @AfterEach
    void stop() {
        System.setErr(before);
        appender.stop();
    }

    private ILoggingEvent line(String text) {
        return new LoggingEvent("", logger, Level.INFO, text, null, null);
    }

    private String text() {
        return written.toString(StandardCharsets.UTF_8);
    }

    @Test
    void aLineThatComesAloneIsWrittenAtOnce() {
        appender.doAppend(line("one"));

        assertThat(text()).isEqualTo("one\n");
    }

    @Test
    void linesThatWaitTogetherAreWrittenWithTheLastOfThem() {
        appender.flushAfter(accepted::get);
        accepted.set(3);
        appender.doAppend(line("one"));
        appender.doAppend(line("two"));
        assertThat(text()).isEmpty();

        appender.doAppend(line("three"));
        assertThat(text()).isEqualTo("one\ntwo\nthree\n");
    }

    @Test
    void whatIsHeldIsWrittenWhenTheLogStops() {
        appender.flushAfter(accepted::get);
        accepted.set(2);
        appender.doAppend(line("one"));

        appender.stop();

        assertThat(text()).isEqualTo("one\n");
    }

    @Test
    void noLineIsHeldBackBehindTheCounterOfLosses() {
        LossCounter counter = new LossCounter();
        counter.setContext(context);
        counter.addAppender(appender);
        counter.start();
        for (int i = 0; i < 1_000; i++) {
            counter.doAppend(line("line " + i));
        }
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (text().lines().count() < 1_000 - counter.count() && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }
        long shown = text().lines().count();
        counter.stop();

        assertThat(shown).isPositive().isEqualTo(1_000 - counter.count());
    }
}
