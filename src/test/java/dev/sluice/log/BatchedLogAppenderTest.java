package dev.sluice.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class BatchedLogAppenderTest {

    private final LoggerContext context = new LoggerContext();
    private final Logger logger = context.getLogger("test");

    private BatchedLogAppender lines(OutputStream written) {
        context.setMDCAdapter(new LogbackMDCAdapter());
        LogLineEncoder encoder = new LogLineEncoder();
        encoder.setContext(context);
        encoder.start();
        BatchedLogAppender lines = new BatchedLogAppender();
        lines.setName("BATCHED");
        lines.setContext(context);
        lines.setEncoder(encoder);
        lines.setOutputStream(written);
        lines.start();
        logger.addAppender(lines);
        return lines;
    }

    @Test
    void aBatchIsWrittenByOneCall() {
        List<String> calls = new ArrayList<>();
        BatchedLogAppender lines = lines(new OutputStream() {
            @Override
            public void write(int one) {
                throw new AssertionError("lines are written as blocks");
            }

            @Override
            public void write(byte[] bytes, int from, int length) {
                calls.add(new String(bytes, from, length, UTF_8).replaceAll("(?m)^\\S+ INFO {2}", ""));
            }
        });
        for (int batch = 0; batch < 2; batch++) {
            logger.info("first");
            logger.info("second");
            BatchedLogAppender.flush(logger);
        }
        logger.info("last");
        lines.stop();

        assertThat(calls).containsExactly("first\nsecond\n", "first\nsecond\n", "last\n");
    }

    @Test
    void aLineThatFailsLeavesNothingBehind() {
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        var _ = lines(written);

        LogLineEvent.info(logger, "fails", _ -> {
            throw new IllegalStateException("a key cannot be made");
        });
        LogLineEvent.info(logger, "whole", _ -> {});
        BatchedLogAppender.flush(logger);

        assertThat(written.toString(UTF_8)).endsWith(" INFO  whole\n").containsOnlyOnce("INFO");
    }

    @Test
    @Timeout(30)
    void aReaderThatHasStoppedDoesNotHoldTheEnd() throws Exception {
        CountDownLatch hangs = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        BatchedLogAppender lines = lines(new OutputStream() {
            @Override
            public void write(int one) {
                hangs.countDown();
                try {
                    release.await();
                } catch (InterruptedException _) {
                    Thread.currentThread().interrupt();
                }
            }
        });
        logger.info("nobody reads this");
        Thread writer = Thread.ofPlatform().start(() -> BatchedLogAppender.flush(logger));
        assertThat(hangs.await(10, TimeUnit.SECONDS)).isTrue();

        lines.stop();

        assertThat(writer.isAlive()).isTrue();
        release.countDown();
        writer.join(10_000);
    }
}
