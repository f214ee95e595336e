package dev.sluice.management;

import dev.sluice.api.ApiEventEncoder;
import dev.sluice.record.RecordedStreamEvent;
import io.vertx.core.buffer.Buffer;
import org.jspecify.annotations.Nullable;

/**
 * Encodes each event of the stream once, and gives the text to all clients that keep up with the events. Only the event
 * loop of the management port uses this class.
 */
final class EncodedStreamEvents {

    /**
     * The maximum number of events whose text is kept. One client gets at most this number of events at a time, so the
     * next client still finds all these texts.
     */
    private static final int MOST = EventStreamClient.MOST_AT_ONCE;

    /** The maximum length of a text that is kept. All kept texts together take at most 1 MiB. */
    private static final int MOST_BYTES = 16 * 1024;

    private record EncodedEvent(long number, Buffer text) {}

    private final ApiEventEncoder encoder;
    private final @Nullable EncodedEvent[] kept = new EncodedEvent[MOST];

    EncodedStreamEvents(ApiEventEncoder encoder) {
        this.encoder = encoder;
    }

    ApiEventEncoder encoder() {
        return encoder;
    }

    /** Returns the text of the event with this sequence number. Callers must not change the buffer. */
    Buffer text(long number, RecordedStreamEvent event) {
        int slot = (int) (number % MOST);
        EncodedEvent known = kept[slot];
        if (known != null && known.number == number) {
            return known.text;
        }
        Buffer text = Buffer.buffer(encoder.text(number, event));
        if (text.length() <= MOST_BYTES) {
            kept[slot] = new EncodedEvent(number, text);
        }
        return text;
    }
}
