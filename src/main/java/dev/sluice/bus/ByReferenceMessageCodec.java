package dev.sluice.bus;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.MessageCodec;

/**
 * A codec of the event bus that passes the message object itself instead of a copy. This is safe because messages are
 * immutable and stay in the process.
 */
final class ByReferenceMessageCodec implements MessageCodec<Object, Object> {

    static final String NAME = "by-reference";

    @Override
    public Object transform(Object message) {
        return message;
    }

    @Override
    public void encodeToWire(Buffer buffer, Object message) {
        throw new IllegalStateException("a local message was about to leave the process");
    }

    @Override
    public Object decodeFromWire(int position, Buffer buffer) {
        throw new IllegalStateException("a local message came from another process");
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public byte systemCodecID() {
        return -1;
    }
}
