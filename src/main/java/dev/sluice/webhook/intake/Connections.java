package dev.sluice.webhook.intake;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** All connections of one port. For all threads: one accepts connections, and others serve them. */
public final class Connections {

    public static final long CHECK_MILLIS = 250;

    private final ConnectionLimits limits;
    private final AbuseCounter abuse;
    private final Set<Connection> open = new LinkedHashSet<>();

    public Connections(ConnectionLimits limits, AbuseCounter abuse) {
        this.limits = limits;
        this.abuse = abuse;
    }

    public synchronized int count() {
        return open.size();
    }

    /**
     * Counts an accepted connection, and closes another one for it if there are too many.
     *
     * @return false if no other one can be closed, so that the new one must be
     */
    synchronized boolean admit(Channel channel, ConnectionPhase first) {
        if (open.size() >= limits.connections() && !closeOldest(_ -> true, AbuseCause.NO_ROOM)) {
            abuse.add(AbuseCause.NO_ROOM);
            return false;
        }
        if (first == ConnectionPhase.HANDSHAKE) {
            makeRoom(ConnectionPhase.HANDSHAKE, limits.handshakes(), AbuseCause.TOO_MANY_HANDSHAKES);
        }
        Connection connection = new Connection(channel, first);
        open.add(connection);
        var _ = channel.closeFuture().addListener((ChannelFutureListener) _ -> remove(connection));
        return true;
    }

    /** Marks the connection of a client that does not read its answer. */
    synchronized void unread(Connection connection) {
        connection.enter(ConnectionPhase.UNREAD);
        makeRoom(ConnectionPhase.UNREAD, limits.unread() + 1, AbuseCause.UNREAD_ANSWER);
    }

    /** Closes the oldest connection in this phase if there are {@code many}. */
    private void makeRoom(ConnectionPhase phase, int many, AbuseCause cause) {
        long found =
                open.stream().filter(connection -> connection.phase() == phase).count();
        if (found >= many) {
            var _ = closeOldest(connection -> connection.phase() == phase, cause);
        }
    }

    private boolean closeOldest(Predicate<Connection> choice, AbuseCause cause) {
        @Nullable Connection first = null;
        Connection.@Nullable ConnectionState firstState = null;
        for (Connection connection : open) {
            Connection.ConnectionState state = connection.state();
            if (choice.test(connection) && connection.isRegistered() && givesWay(state, firstState)) {
                first = connection;
                firstState = state;
            }
        }
        if (first != null) {
            close(first, cause);
        }
        return first != null;
    }

    /** True if the connection is closed before the other one. */
    private static boolean givesWay(Connection.ConnectionState state, Connection.@Nullable ConnectionState other) {
        ConnectionPhase.Rank rank = state.phase().rank();
        if (rank == ConnectionPhase.Rank.ANSWERING || other == null) {
            return rank != ConnectionPhase.Rank.ANSWERING;
        }
        int order = rank.compareTo(other.phase().rank());
        return order < 0 || (order == 0 && state.since() - other.since() < 0);
    }

    private synchronized void remove(Connection connection) {
        open.remove(connection);
    }

    /** Closes the connections that have been in their phase for too long. */
    public void closeLate() {
        long now = System.nanoTime();
        for (Connection connection : all()) {
            Connection.ConnectionState state = connection.state();
            if (state.phase().isOver(now - state.since()) && connection.isRegistered()) {
                close(connection, state.phase().late());
            }
        }
    }

    private synchronized List<Connection> all() {
        return List.copyOf(open);
    }

    /** The connection no longer counts, although its channel closes a moment later. */
    synchronized void close(Connection connection, AbuseCause cause) {
        if (open.remove(connection)) {
            abuse.add(cause);
            connection.close();
        }
    }
}
