package dev.sluice.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.joran.spi.ConsoleTarget;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;

/**
 * An appender that collects lines and writes a batch of them to standard error with one system call. The thread that
 * logs also writes, so only threads that may block may use this appender. Other threads use {@link LossCounter}, which
 * is slower: it wakes a second thread for each line.
 */
public final class BatchedLogAppender extends OutputStreamAppender<ILoggingEvent> {

    /** The name of the logger for decisions. The file {@code logback.xml} gives it an appender of this class. */
    public static final String DECISIONS = "dev.sluice.decisions";

    /** The name of this appender in {@code logback.xml}. */
    static final String NAME = "BATCHED";

    /**
     * The collected lines are written when the buffer has this number of characters. This is enough for the lines of 64
     * decisions, the largest batch that the gateway publishes.
     */
    private static final int BUFFER = 32 * 1_024;

    /** The lines that are not written yet. Only the holder of the stream's lock may use them. */
    private final StringBuilder lines = new StringBuilder(BUFFER);

    @Override
    public void start() {
        setImmediateFlush(false);
        if (getOutputStream() == null) {
            setOutputStream(ConsoleTarget.SystemErr.getStream());
        }
        super.start();
    }

    /**
     * Adds a line to the batch. If the encoder is not a {@link LogLineEncoder}, the line is converted to bytes and
     * written at once.
     */
    @Override
    protected void append(ILoggingEvent event) {
        if (!(getEncoder() instanceof LogLineEncoder encoder)) {
            super.append(event);
            return;
        }
        streamWriteLock.lock();
        try {
            appendWhole(event, encoder);
            if (lines.length() >= BUFFER) {
                write();
            }
        } finally {
            streamWriteLock.unlock();
        }
    }

    /**
     * Appends a whole line. If the encoder fails in the middle of the line, the unfinished line is removed. Otherwise
     * the next line would be appended to it.
     */
    private void appendWhole(ILoggingEvent event, LogLineEncoder encoder) {
        int begin = lines.length();
        boolean whole = false;
        try {
            encoder.append(event, lines);
            whole = true;
        } finally {
            if (!whole) {
                lines.setLength(begin);
            }
        }
    }

    private void write() {
        if (lines.isEmpty()) {
            return;
        }
        try {
            getOutputStream().write(lines.toString().getBytes(StandardCharsets.UTF_8));
        } catch (IOException unwritten) {
            addError("Lines could not be written", unwritten);
        } finally {
            lines.setLength(0);
        }
    }

    /**
     * Writes the lines that the appender of this logger has collected. Does nothing if the logger has no appender of
     * this class.
     */
    public static void flush(Logger logger) {
        if (logger instanceof ch.qos.logback.classic.Logger own
                && own.getAppender(NAME) instanceof BatchedLogAppender lines) {
            lines.flush();
        }
    }

    private void flush() {
        streamWriteLock.lock();
        try {
            if (isStarted()) {
                write();
                getOutputStream().flush();
            }
        } catch (IOException unwritten) {
            addError("Lines could not be written", unwritten);
        } finally {
            streamWriteLock.unlock();
        }
    }

    /**
     * Writes the collected lines and stops. If a thread is blocked in a write for a second, the collected lines are
     * dropped so that the process can end.
     */
    @Override
    public void stop() {
        try {
            if (streamWriteLock.tryLock(1, TimeUnit.SECONDS)) {
                try {
                    if (isStarted()) {
                        write();
                    }
                    super.stop();
                } finally {
                    streamWriteLock.unlock();
                }
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
