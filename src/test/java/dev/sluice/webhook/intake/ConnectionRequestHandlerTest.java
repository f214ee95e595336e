package dev.sluice.webhook.intake;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The phase of a connection while its request is handled. Another thread may close the connection by this phase. */
class ConnectionRequestHandlerTest {

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final Connection connection = new Connection(channel, ConnectionPhase.HEAD);
    private final List<ConnectionPhase> phases = new ArrayList<>();

    private void receive(HttpRequest request) {
        channel.pipeline()
                .addLast(
                        new ConnectionRequestHandler(
                                new Connections(ConnectionLimits.MANAGEMENT, new ClientAbuseCounter()), connection),
                        new ChannelInboundHandlerAdapter() {
                            @Override
                            public void channelRead(ChannelHandlerContext context, Object message) {
                                phases.add(connection.phase());
                            }
                        });
        var _ = channel.writeInbound(request, LastHttpContent.EMPTY_LAST_CONTENT);
    }

    @Test
    void aRequestWithoutABodyIsBeingAnsweredFromItsBeginning() {
        receive(new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/livez"));

        assertThat(phases).containsExactly(ConnectionPhase.ANSWERING, ConnectionPhase.ANSWERING);
    }

    @Test
    void aRequestWithABodyIsBeingAnsweredWhenTheBodyIsComplete() {
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/mutate");
        request.headers().set("Transfer-Encoding", "chunked");
        receive(request);

        assertThat(phases).containsExactly(ConnectionPhase.BODY, ConnectionPhase.ANSWERING);
    }
}
