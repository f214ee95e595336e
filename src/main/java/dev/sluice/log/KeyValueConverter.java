package dev.sluice.log;

import ch.qos.logback.classic.pattern.ClassicConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import java.util.List;
import org.slf4j.event.KeyValuePair;

/** Writes the key-values of a line as {@code key="value"}. Unlike {@code %kvp} it escapes the values. */
public final class KeyValueConverter extends ClassicConverter {

    /** Names have at most 253 letters, and a problem of the configuration has some hundreds. */
    static final int LONGEST = 1_024;

    @Override
    public String convert(ILoggingEvent event) {
        List<KeyValuePair> pairs = event.getKeyValuePairs();
        if (pairs == null) {
            return "";
        }
        StringBuilder text = new StringBuilder();
        for (KeyValuePair pair : pairs) {
            text.append(text.isEmpty() ? "" : " ")
                    .append(pair.key)
                    .append("=\"")
                    .append(OneLine.of(String.valueOf(pair.value), LONGEST))
                    .append('"');
        }
        return text.toString();
    }
}
