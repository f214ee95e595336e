package dev.sluice.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.joran.spi.ConsoleTarget;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;

/**
 * Writes lines to standard error in the thread that logs them, with one system call for the lines of a batch. It is for
 * a thread that may block on the reader of the log. {@link LossCounter} does not block, but would wake a second thread
 * for each line.
 */
public final class BatchedLines extends OutputStreamAppender<ILoggingEvent> {

    /** The name of the logger for decisions, which has such an appender in {@code logback.xml}. */
    public static final String DECISIONS = "dev.sluice.decisions";

    /** The name of this appender in {@code logback.xml}. */
    static final String NAME = "BATCHED";

    /** The size of the buffer in characters, for some 64 lines. A gateway publishes as many decisions together. */
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
     * Adds a line. A {@link LineEncoder} appends it to the waiting lines; another encoder converts each line to bytes.
     */
    @Override
    protected void append(ILoggingEvent event) {
        if (!(getEncoder() instanceof LineEncoder encoder)) {
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
     * Appends a line, and removes it again if it fails in the middle, because the next line would be appended to its
     * part.
     */
    private void appendWhole(ILoggingEvent event, LineEncoder encoder) {
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

    /** Writes the waiting lines of this logger. Nothing happens if the log has another configuration. */
    public static void flush(Logger logger) {
        if (logger instanceof ch.qos.logback.classic.Logger own
                && own.getAppender(NAME) instanceof BatchedLines lines) {
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
     * Writes the waiting lines and stops. If the reader of the log blocks a writer for a second, the waiting lines are
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
