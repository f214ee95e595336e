package dev.sluice.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.concurrent.CopyOnWriteArrayList;

/** The lines of a logger that it is added to. A test may read {@link #list} while other threads still log. */
public final class LogLines extends ListAppender<ILoggingEvent> {

    public LogLines() {
        list = new CopyOnWriteArrayList<>();
        start();
    }
}
