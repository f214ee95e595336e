package dev.sluice.webhook.intake;

import dev.sluice.webhook.intake.ConnectionPhase.Rank;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import java.net.InetAddress;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** All connections of one port. It is thread-safe: one thread accepts connections, and other threads serve them. */
public final class Connections {

    public static final long CHECK_MILLIS = 250;

    private final ConnectionLimits limits;
    private final ClientAbuseCounter abuse;
    private final Set<Connection> open = new LinkedHashSet<>();

    public Connections(ConnectionLimits limits, ClientAbuseCounter abuse) {
        this.limits = limits;
        this.abuse = abuse;
    }

    public synchronized int count() {
        return open.size();
    }

    /**
     * Adds an accepted connection. If there are too many connections, others are closed.
     *
     * @return false if not enough others can be closed; the caller must then close the new connection
     */
    synchronized boolean admit(Channel channel, ConnectionPhase first) {
        if (!makeRoomFor(Connection.peerOf(channel))) {
            abuse.add(ClientAbuseCause.NO_ROOM);
            return false;
        }
        if (first == ConnectionPhase.HANDSHAKE) {
            makeRoom(ConnectionPhase.HANDSHAKE, limits.handshakes(), ClientAbuseCause.TOO_MANY_HANDSHAKES);
        }
        Connection connection = new Connection(channel, first);
        open.add(connection);
        var _ = channel.closeFuture().addListener((ChannelFutureListener) _ -> remove(connection));
        return true;
    }

    /**
     * Closes connections until one more connection from this address is within the limits. Returns false if too few
     * connections can be closed.
     */
    private boolean makeRoomFor(@Nullable InetAddress peer) {
        if (limits.perPeer() < limits.connections()) {
            var _ = keepTo(
                    limits.perPeer() - 1,
                    limits.servedPerPeer(),
                    connection -> Objects.equals(connection.peer(), peer));
        }
        return keepTo(limits.connections() - 1, limits.served(), _ -> true);
    }

    /**
     * Closes connections that match {@code choice}. First it closes unprotected ones until at most {@code served} of
     * them are left. Then it closes any of them until at most {@code most} are left. Returns false if more than
     * {@code most} remain.
     */
    private boolean keepTo(int most, int served, Predicate<Connection> choice) {
        if (open.size() < served) {
            return true;
        }
        if (served < most) {
            long now = System.nanoTime();
            var _ = closeDownTo(served, choice.and(connection -> !isNew(connection, now)));
        }
        return closeDownTo(most, choice);
    }

    private boolean closeDownTo(int most, Predicate<Connection> choice) {
        for (long found = open.stream().filter(choice).count(); found > most; found--) {
            if (!closeFirst(choice, ClientAbuseCause.NO_ROOM)) {
                return false;
            }
        }
        return true;
    }

    private boolean isNew(Connection connection, long now) {
        Rank rank = Evictable.of(connection, limits.grace().toNanos(), now).rank();
        return rank == Rank.NEW || rank == Rank.NEW_ANSWERING;
    }

    /** Records that the client of this connection does not read its answer. */
    synchronized void unread(Connection connection) {
        connection.enter(ConnectionPhase.UNREAD);
        makeRoom(ConnectionPhase.UNREAD, limits.unread() + 1, ClientAbuseCause.UNREAD_ANSWER);
    }

    /** Closes the oldest connection in this phase if at least {@code many} connections are in the phase. */
    private void makeRoom(ConnectionPhase phase, int many, ClientAbuseCause cause) {
        long found =
                open.stream().filter(connection -> connection.phase() == phase).count();
        if (found >= many) {
            var _ = closeFirst(connection -> connection.phase() == phase, cause);
        }
    }

    /**
     * Closes one of the connections that match {@code choice}: the oldest one of the lowest rank. Returns false if no
     * connection can be closed.
     */
    private boolean closeFirst(Predicate<Connection> choice, ClientAbuseCause cause) {
        long now = System.nanoTime();
        Optional<Connection> first = open.stream()
                .filter(connection -> choice.test(connection) && connection.isRegistered())
                .map(connection -> Evictable.of(connection, limits.grace().toNanos(), now))
                .filter(evictable -> evictable.rank() != Rank.NEVER)
                .min(Evictable.ORDER)
                .map(Evictable::connection);
        first.ifPresent(connection -> close(connection, cause));
        return first.isPresent();
    }

    /**
     * A connection that may be closed in favor of a new one.
     *
     * @param age the nanoseconds since the connection got this rank
     */
    private record Evictable(Connection connection, Rank rank, long age) {

        /**
         * Orders connections by rank, and within a rank by age, the oldest first. A well-behaved client completes a
         * handshake and a head in milliseconds, so a connection that takes longer is suspect.
         */
        static final Comparator<Evictable> ORDER =
                Comparator.comparing(Evictable::rank).thenComparing(Evictable::age, Comparator.reverseOrder());

        static Evictable of(Connection connection, long graceNanos, long now) {
            Connection.ConnectionState state = connection.state();
            long lifetime = now - connection.acceptedAt();
            Rank rank = state.phase().rank();
            if (lifetime < graceNanos && connection.isProtected()) {
                Rank early = earlyRank(state.phase());
                return new Evictable(connection, early, early == rank ? now - state.since() : lifetime);
            }
            boolean closable = rank != Rank.ANSWERING || graceNanos > 0;
            return new Evictable(connection, closable ? rank : Rank.NEVER, now - state.since());
        }

        /**
         * Returns the rank of a connection within the grace period. The connection is protected in its TLS handshake,
         * before its first request, during the head of a request, and while one answer is created. In other phases, it
         * has the ordinary rank of the phase.
         */
        private static Rank earlyRank(ConnectionPhase phase) {
            return switch (phase) {
                case HANDSHAKE, FRESH, HEAD -> Rank.NEW;
                case ANSWERING -> Rank.NEW_ANSWERING;
                case UNREAD, IDLE, BODY, PIPELINING -> phase.rank();
            };
        }
    }

    private synchronized void remove(Connection connection) {
        open.remove(connection);
    }

    /**
     * Closes the connections that exceed the time limit of their phase. Also closes unprotected connections if there
     * are too many of them.
     */
    public void closeOverdue() {
        closeUnprotected();
        long now = System.nanoTime();
        for (Connection connection : all()) {
            Connection.ConnectionState state = connection.state();
            if (state.phase().isOver(now - state.since()) && connection.isRegistered()) {
                close(connection, state.phase().overdueCause());
            }
        }
    }

    private synchronized void closeUnprotected() {
        var _ = keepTo(limits.connections(), limits.served(), _ -> true);
    }

    private synchronized List<Connection> all() {
        return List.copyOf(open);
    }

    /** Closes a connection. It is no longer counted from now on, although its channel closes a moment later. */
    synchronized void close(Connection connection, ClientAbuseCause cause) {
        if (open.remove(connection)) {
            abuse.add(cause);
            connection.close();
        }
    }
}
