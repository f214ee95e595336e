package dev.sluice.webhook.intake;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which connection is closed when a new one finds no room. */
class ConnectionsTest {

    private static final Duration LONG = Duration.ofHours(1);
    private static final Duration SHORTEST = Duration.ofNanos(1);

    private static Connections ofFour(int perPeer, Duration grace) {
        return new Connections(new ConnectionLimits(4, 4, 4, 4, perPeer, grace), new ClientAbuseCounter());
    }

    private static final class Visitor extends EmbeddedChannel {

        private final String address;

        Visitor(String address) {
            this.address = address;
        }

        @Override
        protected SocketAddress remoteAddress0() {
            return new InetSocketAddress(address, 40_000);
        }

        void enter(ConnectionPhase phase) {
            Objects.requireNonNull(Connection.of(this)).enter(phase);
        }

        void endGrace() {
            Objects.requireNonNull(Connection.of(this)).endGrace();
        }
    }

    private static Visitor admit(Connections connections, String address) {
        Visitor visitor = new Visitor(address);
        assertThat(connections.admit(visitor, ConnectionPhase.FRESH)).isTrue();
        return visitor;
    }

    private static List<Visitor> admitFour(Connections connections) {
        return IntStream.range(0, 4)
                .mapToObj(_ -> admit(connections, "10.0.0.1"))
                .toList();
    }

    private static List<Boolean> open(List<Visitor> visitors) {
        visitors.forEach(EmbeddedChannel::runPendingTasks);
        return visitors.stream().map(EmbeddedChannel::isOpen).toList();
    }

    @Test
    void withoutGraceTheOldestUselessConnectionGivesWayAndAnAnswerNever() {
        Connections connections = ofFour(4, Duration.ZERO);
        List<Visitor> visitors = admitFour(connections);
        visitors.get(0).enter(ConnectionPhase.ANSWERING);
        visitors.get(1).enter(ConnectionPhase.IDLE);
        var _ = admit(connections, "10.0.0.2");

        assertThat(open(visitors)).containsExactly(true, true, false, true);
    }

    @Test
    void withoutGraceNobodyIsAdmittedWhileAllAreAnswered() {
        Connections connections = ofFour(4, Duration.ZERO);
        admitFour(connections).forEach(visitor -> visitor.enter(ConnectionPhase.ANSWERING));

        assertThat(connections.admit(new Visitor("10.0.0.2"), ConnectionPhase.FRESH))
                .isFalse();
    }

    @Test
    void afterTheGraceAnAnswerGivesWayToo() {
        Connections connections = ofFour(4, SHORTEST);
        List<Visitor> visitors = admitFour(connections);
        visitors.forEach(visitor -> visitor.enter(ConnectionPhase.ANSWERING));
        var _ = admit(connections, "10.0.0.2");

        assertThat(open(visitors)).containsExactly(false, true, true, true);
    }

    @Test
    void amongNewConnectionsThoseThatWereAnsweredGiveWayFirstAndThoseThatWaitLast() {
        Connections connections = ofFour(4, LONG);
        List<Visitor> visitors = admitFour(connections);
        visitors.get(0).enter(ConnectionPhase.ANSWERING);
        visitors.get(2).enter(ConnectionPhase.IDLE);
        var _ = admit(connections, "10.0.0.2");
        assertThat(open(visitors)).containsExactly(true, true, false, true);

        var _ = admit(connections, "10.0.0.3");
        assertThat(open(visitors)).containsExactly(true, false, false, true);
    }

    @Test
    void aNewConnectionThatSendsRequestsAheadIsNotProtected() {
        Connections connections = ofFour(4, LONG);
        List<Visitor> visitors = admitFour(connections);
        visitors.forEach(visitor -> visitor.enter(ConnectionPhase.ANSWERING));
        visitors.get(2).enter(ConnectionPhase.PIPELINING);
        var _ = admit(connections, "10.0.0.2");

        assertThat(open(visitors)).containsExactly(true, true, false, true);
    }

    @Test
    void aNewConnectionWhoseGraceHasEndedGivesWayToThoseWithoutARequest() {
        Connections connections = ofFour(4, LONG);
        List<Visitor> visitors = admitFour(connections);
        visitors.get(2).enter(ConnectionPhase.ANSWERING);
        visitors.get(2).endGrace();
        var _ = admit(connections, "10.0.0.2");

        assertThat(open(visitors)).containsExactly(true, true, false, true);
    }

    @Test
    void aPeerBeyondItsShareGivesUpAConnectionOfItsOwn() {
        Connections connections = ofFour(2, LONG);
        Visitor probe = admit(connections, "10.0.0.1");
        Visitor first = admit(connections, "10.0.0.9");
        Visitor second = admit(connections, "10.0.0.9");
        Visitor third = admit(connections, "10.0.0.9");

        assertThat(open(List.of(probe, first, second, third))).containsExactly(true, false, true, true);
        assertThat(connections.count()).isEqualTo(3);
    }

    /** Four connections, of which two may be without protection; half of each for one address. */
    private static Connections ofFourAndTwo() {
        return new Connections(new ConnectionLimits(4, 2, 4, 4, 2, LONG), new ClientAbuseCounter());
    }

    @Test
    void connectionsThatWereAnsweredGiveWayBeforeAllPlacesAreTaken() {
        Connections connections = ofFourAndTwo();
        List<Visitor> visitors = IntStream.range(1, 4)
                .mapToObj(number -> admit(connections, "10.0.0." + number))
                .toList();
        visitors.forEach(visitor -> visitor.enter(ConnectionPhase.IDLE));
        assertThat(open(visitors)).containsExactly(true, true, true);
        connections.closeOverdue();

        assertThat(open(visitors)).containsExactly(false, true, true);
        assertThat(connections.count()).isEqualTo(2);
    }

    @Test
    void newConnectionsHaveRoomBesideThoseThatWereAnswered() {
        Connections connections = ofFourAndTwo();
        List<Visitor> visitors = IntStream.range(1, 5)
                .mapToObj(number -> admit(connections, "10.0.0." + number))
                .toList();
        assertThat(open(visitors)).containsExactly(true, true, true, true);
        visitors.get(1).enter(ConnectionPhase.IDLE);
        var _ = admit(connections, "10.0.0.5");

        assertThat(open(visitors)).containsExactly(true, false, true, true);
    }

    @Test
    void aPeerHasTheSameShareOfThePlacesWithoutProtection() {
        Connections connections = ofFourAndTwo();
        Visitor first = admit(connections, "10.0.0.9");
        Visitor second = admit(connections, "10.0.0.9");
        List.of(first, second).forEach(visitor -> visitor.enter(ConnectionPhase.IDLE));
        Visitor probe = admit(connections, "10.0.0.1");

        assertThat(open(List.of(first, second, probe))).containsExactly(true, true, true);
        Visitor third = admit(connections, "10.0.0.9");
        assertThat(open(List.of(first, second, probe, third))).containsExactly(false, true, true, true);
    }
}
