package dev.sluice.webhook.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The pace at which a server socket accepts connections. */
class ConnectionAcceptHandlerTest {

    private final Connections connections =
            new Connections(new ConnectionLimits(100, 100, 100, 1, 100, Duration.ZERO), new ClientAbuseCounter());
    private final EmbeddedChannel server =
            new EmbeddedChannel(new ConnectionAcceptHandler(connections, ConnectionPhase.HANDSHAKE));

    /** Accepts connections that no event loop has taken over yet. */
    private List<EmbeddedChannel> accept(int count) {
        List<EmbeddedChannel> accepted = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            EmbeddedChannel channel = new EmbeddedChannel(/* register= */ false, /* hasDisconnect= */ false);
            accepted.add(channel);
            var _ = server.writeInbound(channel);
        }
        return accepted;
    }

    private boolean isAccepting() {
        server.runPendingTasks();
        return server.config().isAutoRead();
    }

    @Test
    void acceptsNoMoreWhileTheEventLoopsHaveNotTakenOverWhatWasAccepted() {
        var _ = accept(1);
        assertThat(isAccepting()).isTrue();
        var _ = accept(1);
        assertThat(isAccepting()).isFalse();
    }

    @Test
    void goesOnAsSoonAsAnEventLoopHasTakenOne() throws Exception {
        List<EmbeddedChannel> accepted = accept(2);
        accepted.getLast().register();
        assertThat(isAccepting()).isTrue();
        var _ = accept(1);
        assertThat(isAccepting()).isFalse();
    }

    @Test
    void goesOnWhereNoEventLoopCouldTakeOne() {
        var _ = accept(1);
        EmbeddedChannel channel = new EmbeddedChannel(/* register= */ false, /* hasDisconnect= */ false) {
            @Override
            protected void doRegister() throws IOException {
                throw new IOException("no memory");
            }
        };
        var _ = server.writeInbound(channel);
        assertThat(isAccepting()).isFalse();
        assertThatThrownBy(channel::register).hasMessage("no memory");
        assertThat(isAccepting()).isTrue();
        var _ = accept(1);
        assertThat(isAccepting()).isFalse();
    }

    @Test
    void countsOneThatIsTakenAndClosesLaterOnce() throws Exception {
        EmbeddedChannel taken = accept(1).getFirst();
        taken.register();
        var _ = taken.close();
        var _ = accept(2);
        assertThat(isAccepting()).isFalse();
    }

    @Test
    void isNotHeldUpByConnectionsThatSendNothing() throws Exception {
        for (EmbeddedChannel channel : accept(1)) {
            channel.register();
        }
        var _ = accept(1);
        assertThat(isAccepting()).isTrue();
    }
}
