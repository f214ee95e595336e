package dev.sluice.connection;

import io.netty.channel.Channel;
import io.netty.channel.ChannelPipeline;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.impl.HttpServerConnection;

/**
 * Watches what the connections of a server do once TLS is agreed upon. It needs the channel itself, because Vert.x
 * shows a request only when its head is whole, and answers no question about what was not written yet.
 */
public final class ConnectionTracking {

    private ConnectionTracking() {}

    /** To be called for each connection, before anything is read from it: {@link HttpServer#connectionHandler}. */
    public static void track(HttpConnection accepted, Connections connections) {
        Channel channel =
                ((HttpServerConnection) accepted).channelHandlerContext().channel();
        Connection connection = Connection.of(channel);
        if (connection == null) {
            return;
        }
        connection.enter(ConnectionPhase.FRESH);
        ChannelPipeline pipeline = channel.pipeline();
        pipeline.addBefore("httpDecoder", "headWatch", new RequestHeadHandler(connection));
        pipeline.addBefore("handler", "requestWatch", new RequestResponseHandler(connections, connection));
    }
}
