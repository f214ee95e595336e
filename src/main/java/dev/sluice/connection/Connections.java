package dev.sluice.connection;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** All connections of one port. For all threads: one accepts, others serve. */
public final class Connections {

    /** How often somebody is to {@link #closeLate} for connections that are late. */
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
     * Takes a connection that was accepted, and ends another one for it where there are too many.
     *
     * @return false when none gives way and the new one is to be closed
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

    /** The client does not take its answer; there may be few such clients. */
    synchronized void unread(Connection connection) {
        connection.enter(ConnectionPhase.UNREAD);
        makeRoom(ConnectionPhase.UNREAD, limits.unread() + 1, AbuseCause.UNREAD_ANSWER);
    }

    /** So that there are fewer than {@code many}. */
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

    /** Before the other one, if there is one. */
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

    /** Ends those that are late. To be called every {@link #CHECK_MILLIS}. */
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

    /** It does not count any more from now on, though its channel ends a moment later. */
    synchronized void close(Connection connection, AbuseCause cause) {
        if (open.remove(connection)) {
            abuse.add(cause);
            connection.close();
        }
    }
}
