package dev.sluice.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.event.KeyValuePair;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * A log event that writes its keys directly into the line. An ordinary SLF4J event holds a list of keys and values.
 * Creating this list takes more time than formatting the line. Appenders of other libraries can use this event like an
 * ordinary one.
 */
public final class LogLineEvent extends LoggingEvent {

    /** Receives the keys and values of a line. */
    public interface KeyWriter {

        void add(String key, String value);

        void add(String key, long value);

        void add(String key, boolean value);

        /**
         * Adds a key whose value the message of the line already contains. The text format leaves the key out, and JSON
         * contains it.
         */
        void addRepeated(String key, String value);
    }

    private final Consumer<KeyWriter> keys;

    private LogLineEvent(ch.qos.logback.classic.Logger logger, String message, Consumer<KeyWriter> keys) {
        super(LogLineEvent.class.getName(), logger, Level.INFO, message, null, null);
        this.keys = keys;
    }

    /**
     * Logs a line of level INFO if that level is enabled. Each appender calls {@code keys} once, so there may be
     * several calls.
     */
    public static void info(Logger logger, String message, Consumer<KeyWriter> keys) {
        if (!logger.isInfoEnabled()) {
            return;
        }
        if (logger instanceof ch.qos.logback.classic.Logger own) {
            own.callAppenders(new LogLineEvent(own, message, keys));
        } else {
            LoggingEventBuilder line = logger.atInfo();
            keys.accept(new Pairs((key, value) -> {
                var _ = line.addKeyValue(key, value);
            }));
            line.log(message);
        }
    }

    /** Writes the keys of any log event to {@code to}. */
    static void keys(ILoggingEvent event, KeyWriter to) {
        if (event instanceof LogLineEvent own) {
            own.keys.accept(to);
        } else if (event.getKeyValuePairs() != null) {
            event.getKeyValuePairs().forEach(pair -> add(pair, to));
        }
    }

    private static void add(KeyValuePair pair, KeyWriter to) {
        switch (pair.value) {
            case Integer number -> to.add(pair.key, number);
            case Long number -> to.add(pair.key, number);
            case Boolean truth -> to.add(pair.key, truth);
            case null, default -> to.add(pair.key, String.valueOf(pair.value));
        }
    }

    @Override
    public List<KeyValuePair> getKeyValuePairs() {
        List<KeyValuePair> pairs = new ArrayList<>();
        keys.accept(new Pairs((key, value) -> pairs.add(new KeyValuePair(key, value))));
        return pairs;
    }

    private interface Pair {
        void add(String key, Object value);
    }

    private record Pairs(Pair to) implements KeyWriter {

        @Override
        public void add(String key, String value) {
            to.add(key, value);
        }

        @Override
        public void add(String key, long value) {
            to.add(key, value);
        }

        @Override
        public void add(String key, boolean value) {
            to.add(key, value);
        }

        @Override
        public void addRepeated(String key, String value) {
            to.add(key, value);
        }
    }
}
