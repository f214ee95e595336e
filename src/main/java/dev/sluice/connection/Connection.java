package dev.sluice.connection;

import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import org.jspecify.annotations.Nullable;

/** One connection and what it does. Its event loop changes the phase; other threads read it and may end it. */
final class Connection {

    private static final AttributeKey<Connection> KEY = AttributeKey.valueOf(Connection.class, "connection");

    /** Both in one, so that they are read as of one moment. */
    record ConnectionState(ConnectionPhase phase, long since) {}

    private final Channel channel;
    private volatile ConnectionState state;

    Connection(Channel channel, ConnectionPhase phase) {
        this.channel = channel;
        this.state = new ConnectionState(phase, System.nanoTime());
        channel.attr(KEY).set(this);
    }

    /** Null where nobody has counted the channel. */
    static @Nullable Connection of(Channel channel) {
        return channel.attr(KEY).get();
    }

    ConnectionState state() {
        return state;
    }

    ConnectionPhase phase() {
        return state.phase();
    }

    void enter(ConnectionPhase phase) {
        if (state.phase() != phase) {
            state = new ConnectionState(phase, System.nanoTime());
        }
    }

    /** Whether another thread may end it; an event loop takes it a moment after it was accepted. */
    boolean isRegistered() {
        return channel.isRegistered();
    }

    /** Past the pipeline: Vert.x would first write what is left, and wait for a client that does not read. */
    void close() {
        channel.eventLoop().execute(() -> channel.unsafe().close(channel.newPromise()));
    }
}
