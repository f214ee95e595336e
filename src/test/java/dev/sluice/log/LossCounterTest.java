package dev.sluice.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** A reader of the log that has stopped stops nobody, and what is lost by it is counted to the line. */
class LossCounterTest {

    private static final int QUEUE = 100;

    private final Logger logger = (Logger) LoggerFactory.getLogger("test");
    private final LoggerContext context = logger.getLoggerContext();
    private final LossCounter counter = new LossCounter();
    private final Reader reader = new Reader();

    /** Takes a line for each permit. */
    private static final class Reader extends AppenderBase<ILoggingEvent> {
        private final Semaphore permits = new Semaphore(0);
        private final AtomicLong taken = new AtomicLong();

        @Override
        protected void append(ILoggingEvent line) {
            permits.acquireUninterruptibly();
            taken.incrementAndGet();
        }
    }

    @BeforeEach
    void start() {
        reader.setContext(context);
        reader.start();
        counter.setContext(context);
        counter.setName("ASYNC");
        counter.setQueueSize(QUEUE);
        counter.addAppender(reader);
        counter.start();
    }

    @AfterEach
    void stop() {
        reader.permits.release(1_000_000);
        counter.stop();
    }

    private void write(int lines) {
        for (int i = 0; i < lines; i++) {
            counter.doAppend(new LoggingEvent("", logger, Level.INFO, "line", null, null));
        }
    }

    @Test
    void everyLineIsWrittenOrCountedWhoeverWrites() throws Exception {
        int writers = 8;
        int each = 5_000;
        CountDownLatch begin = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < writers; i++) {
            threads.add(Thread.ofPlatform().start(() -> {
                assertThatCode(begin::await).doesNotThrowAnyException();
                write(each);
            }));
        }
        reader.permits.release(3_000);
        begin.countDown();
        for (Thread thread : threads) {
            thread.join(30_000);
            assertThat(thread.isAlive()).as("somebody waits for the reader").isFalse();
        }

        assertThat(counter.count()).isPositive();
        reader.permits.release(1_000_000);
        counter.stop();
        assertThat(reader.taken.get() + counter.count()).isEqualTo((long) writers * each);
    }

    @Test
    void nothingIsLostWhileThereIsRoom() {
        write(QUEUE);

        assertThat(counter.count()).isZero();
        write(10 * QUEUE);
        // As many as the queue takes may be in the hands of who writes them, and one more: it is taken before the
        // others.
        assertThat(counter.count()).isBetween(9L * QUEUE - 1, 10L * QUEUE);
    }
}
