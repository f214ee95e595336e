package dev.sluice.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.OutputStreamAppender;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.function.LongSupplier;

/** Writes lines to standard error. Those that wait together are written together, by one call of the system. */
public final class LineAppender extends OutputStreamAppender<ILoggingEvent> {

    private static final int BUFFER_BYTES = 32 * 1_024;

    private LongSupplier accepted = () -> 0;
    private long written;

    /** It is read when something is written, because tests replace it. It stays open when the log stops. */
    private static final class StandardError extends OutputStream {
        @Override
        public void write(int octet) {
            System.err.write(octet);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            System.err.write(bytes, offset, length);
        }

        @Override
        public void flush() {
            System.err.flush();
        }
    }

    @Override
    public void start() {
        setImmediateFlush(false);
        setOutputStream(new BufferedOutputStream(new StandardError(), BUFFER_BYTES));
        super.start();
    }

    /** {@code linesAccepted} says how many lines have been handed over since the start; the last is flushed. */
    void flushAfter(LongSupplier linesAccepted) {
        accepted = linesAccepted;
    }

    @Override
    protected void append(ILoggingEvent line) {
        super.append(line);
        written++;
        if (written >= accepted.getAsLong()) {
            flush();
        }
    }

    private void flush() {
        try {
            getOutputStream().flush();
        } catch (IOException failed) {
            addError("standard error cannot be written", failed);
        }
    }
}
