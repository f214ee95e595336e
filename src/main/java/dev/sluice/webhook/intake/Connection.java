package dev.sluice.webhook.intake;

import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * An open connection with its phase. Its event loop changes the phase. Other threads may read it and close the
 * connection.
 */
final class Connection {

    private static final AttributeKey<Connection> KEY = AttributeKey.valueOf(Connection.class, "connection");

    /** The phase and the time at which it began, in one object, so that both are read together. */
    record ConnectionState(ConnectionPhase phase, long since) {}

    private final Channel channel;
    private final @Nullable InetAddress peer;
    private final long acceptedAt;
    private volatile ConnectionState state;

    Connection(Channel channel, ConnectionPhase phase) {
        this.channel = channel;
        this.peer = peerOf(channel);
        this.acceptedAt = System.nanoTime();
        this.state = new ConnectionState(phase, acceptedAt);
        channel.attr(KEY).set(this);
    }

    /** Returns the connection of a channel, or null if the channel was not counted. */
    static @Nullable Connection of(Channel channel) {
        return channel.attr(KEY).get();
    }

    /** Returns the IP address of the client, or null if the client has none. */
    static @Nullable InetAddress peerOf(Channel channel) {
        return channel.remoteAddress() instanceof InetSocketAddress address ? address.getAddress() : null;
    }

    @Nullable
    InetAddress peer() {
        return peer;
    }

    long acceptedAt() {
        return acceptedAt;
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

    /**
     * Returns true once an event loop has the channel, shortly after it was accepted. Only then may others close it.
     */
    boolean isRegistered() {
        return channel.isRegistered();
    }

    /**
     * Closes the channel without its pipeline, because Vert.x would first write the rest of an answer that the client
     * may not read.
     */
    void close() {
        channel.eventLoop().execute(() -> channel.unsafe().close(channel.newPromise()));
    }
}
