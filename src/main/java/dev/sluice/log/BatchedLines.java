package dev.sluice.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.joran.spi.ConsoleTarget;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;

/**
 * Writes lines to the standard error in the thread that logs them, and those of a batch by one call of the system. It
 * is for a thread that may wait for the reader of the log; {@link LossCounter} would wake a second thread for each
 * line.
 */
public final class BatchedLines extends OutputStreamAppender<ILoggingEvent> {

    /** The logger of the decisions, which {@code logback.xml} gives such an appender. */
    public static final String DECISIONS = "dev.sluice.decisions";

    /** Its name in {@code logback.xml}. */
    static final String NAME = "BATCHED";

    /** Some 64 lines: as many as a gateway publishes together. */
    private static final int BUFFER = 32 * 1_024;

    /** The lines that are not written yet. Whoever holds the lock of the stream owns it. */
    private final StringBuilder lines = new StringBuilder(BUFFER);

    @Override
    public void start() {
        setImmediateFlush(false);
        if (getOutputStream() == null) {
            setOutputStream(ConsoleTarget.SystemErr.getStream());
        }
        super.start();
    }

    /** An encoder of ours appends to the lines that wait; another one makes bytes of each line. */
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

    /** A line that failed in its middle would go on in the next one. */
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

    /** Writes the lines that were logged with this logger. Nothing happens if the log has another configuration. */
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

    /** A writer whose reader has stopped is left alone: the process ends without its lines. */
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
