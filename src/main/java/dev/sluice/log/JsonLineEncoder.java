package dev.sluice.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.EncoderBase;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.slf4j.event.KeyValuePair;

/**
 * Writes each line as one JSON object: {@code time}, {@code level}, {@code message}, the keys of the line, and
 * {@code stack} where there is one. What others wrote is cut and escaped as in the text format.
 */
public final class JsonLineEncoder extends EncoderBase<ILoggingEvent> {

    private static final byte[] NOTHING = {};

    /** Eight causes of 64 frames each, as the text format writes at most. */
    private static final int LONGEST_STACK = 64 * 1_024;

    private final StackTraceConverter stacks = new StackTraceConverter();
    private final MessageConverter messages = new MessageConverter();

    @Override
    public byte[] headerBytes() {
        return NOTHING;
    }

    @Override
    public byte[] encode(ILoggingEvent event) {
        StringBuilder line = new StringBuilder("{\"time\":\"").append(event.getInstant());
        line.append("\",\"level\":\"").append(event.getLevel());
        line.append("\",\"message\":\"").append(messages.convert(event)).append('"');
        List<KeyValuePair> pairs = event.getKeyValuePairs();
        if (pairs != null) {
            pairs.forEach(pair -> append(pair, line));
        }
        String stack = stacks.convert(event);
        if (!stack.isEmpty()) {
            line.append(",\"stack\":\"")
                    .append(OneLine.of(stack, LONGEST_STACK))
                    .append('"');
        }
        return line.append("}\n").toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Keys are ours. */
    private static void append(KeyValuePair pair, StringBuilder line) {
        line.append(",\"").append(pair.key).append("\":");
        switch (pair.value) {
            case Integer number -> line.append(number);
            case Long number -> line.append(number);
            case Boolean truth -> line.append(truth);
            case null, default ->
                line.append('"')
                        .append(OneLine.of(String.valueOf(pair.value), KeyValueConverter.LONGEST))
                        .append('"');
        }
    }

    @Override
    public byte[] footerBytes() {
        return NOTHING;
    }
}
