package dev.sluice.webhook.intake;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpResponse;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.impl.HttpServerConnection;
import java.util.Map;

/**
 * Tracks the phases of a connection after its TLS handshake, by handlers that it adds to the channel. Vert.x alone
 * reports a request only when its head is complete, and does not report unwritten answers.
 */
public final class ConnectionTracking {

    private ConnectionTracking() {}

    /**
     * Begins to track a connection. The {@link HttpServer#connectionHandler} must call this method for each connection.
     */
    public static void track(HttpConnection accepted, Connections connections) {
        Channel channel = channelOf(accepted);
        Connection connection = Connection.of(channel);
        if (connection == null) {
            return;
        }
        connection.enter(ConnectionPhase.FRESH);
        ChannelPipeline pipeline = channel.pipeline();
        pipeline.addBefore("httpDecoder", "headWatch", new RequestHeadHandler(connection));
        pipeline.addBefore("handler", "requestWatch", new ConnectionRequestHandler(connections, connection));
    }

    /**
     * Ends the grace period of a connection whose request may take long. Connections that are still in their grace
     * period are closed after this one.
     */
    public static void endGrace(HttpConnection accepted) {
        Connection connection = Connection.of(channelOf(accepted));
        if (connection != null) {
            connection.endGrace();
        }
    }

    /** Adds these headers to each response of the connection that does not have them. */
    public static void addMissingHeaders(HttpConnection accepted, Map<String, String> headers) {
        channelOf(accepted).pipeline().addBefore("handler", "missingHeaders", new MissingHeadersHandler(headers));
    }

    private static Channel channelOf(HttpConnection accepted) {
        return ((HttpServerConnection) accepted).channelHandlerContext().channel();
    }

    /**
     * Receives the bytes before they are decoded. The first byte after an answer begins the head of the next request.
     */
    static final class RequestHeadHandler extends ChannelInboundHandlerAdapter {

        private final Connection connection;

        RequestHeadHandler(Connection connection) {
            this.connection = connection;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object bytes) {
            ConnectionPhase phase = connection.phase();
            if (phase == ConnectionPhase.FRESH || phase == ConnectionPhase.IDLE) {
                connection.enter(ConnectionPhase.HEAD);
            }
            context.fireChannelRead(bytes);
        }
    }

    /** Adds headers to responses that do not have them. */
    private static final class MissingHeadersHandler extends ChannelOutboundHandlerAdapter {

        private final Map<String, String> headers;

        MissingHeadersHandler(Map<String, String> headers) {
            this.headers = headers;
        }

        @Override
        public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
            if (message instanceof HttpResponse response) {
                headers.forEach((name, value) -> {
                    if (!response.headers().contains(name)) {
                        response.headers().set(name, value);
                    }
                });
            }
            var _ = context.write(message, promise);
        }
    }
}
