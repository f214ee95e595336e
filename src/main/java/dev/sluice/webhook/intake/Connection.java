package dev.sluice.webhook.intake;

import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * An open connection with its phase. The event loop of the connection changes the phase. Other threads may read the
 * phase and close the connection.
 */
final class Connection {

    private static final AttributeKey<Connection> KEY = AttributeKey.valueOf(Connection.class, "connection");

    /**
     * The phase of a connection and the time at which the phase began. One object holds both, so that other threads
     * never read a phase with the time of another phase.
     */
    record ConnectionState(ConnectionPhase phase, long since) {}

    private final Channel channel;
    private final @Nullable InetAddress peer;
    private final long acceptedAt;
    private volatile ConnectionState state;
    private volatile boolean isProtected = true;

    Connection(Channel channel, ConnectionPhase phase) {
        this.channel = channel;
        this.peer = peerOf(channel);
        this.acceptedAt = System.nanoTime();
        this.state = new ConnectionState(phase, acceptedAt);
        channel.attr(KEY).set(this);
    }

    /** Returns the connection of a channel. Returns null if the channel is not counted. */
    static @Nullable Connection of(Channel channel) {
        return channel.attr(KEY).get();
    }

    /** Returns the IP address of the client. Returns null if the client has none. */
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
     * Returns true if the grace period of the port applies to this connection. It no longer applies after
     * {@link #endGrace} was called.
     */
    boolean isProtected() {
        return isProtected;
    }

    void endGrace() {
        isProtected = false;
    }

    /**
     * Returns true after an event loop has taken over the channel, which happens shortly after the channel was
     * accepted. Only then may other threads close the channel.
     */
    boolean isRegistered() {
        return channel.isRegistered();
    }

    /**
     * Closes the channel without calling its handlers. With the handlers, Vert.x would first write the rest of an
     * answer that the client may never read.
     */
    void close() {
        channel.eventLoop().execute(() -> channel.unsafe().close(channel.newPromise()));
    }
}
