package dev.sluice.webhook.intake;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerAdapter;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/**
 * Limits how many accepted connections of one server socket wait for an event loop. All further connections stay in the
 * kernel's queue. Without the limit, a gateway that is slow, for example because the JVM has just started, would spend
 * its time on TLS handshakes of clients that are waiting, and these clients would open another connection for each
 * waiting call. An event loop takes over a connection without waiting for its data, so an idle connection does not
 * delay others.
 */
final class ConnectionAcceptHandler extends ChannelInboundHandlerAdapter {

    /**
     * The maximum number of connections that wait for an event loop. An event loop takes over new connections only
     * after it has handled the data that has arrived on its existing ones.
     */
    private static final int MOST_WAITING = 2;

    private final Connections connections;
    private final ConnectionPhase first;
    private int waiting;

    ConnectionAcceptHandler(Connections connections, ConnectionPhase first) {
        this.connections = connections;
        this.first = first;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object accepted) {
        Channel channel = (Channel) accepted;
        if (!connections.admit(channel, first)) {
            channel.unsafe().closeForcibly();
            return;
        }
        if (++waiting == MOST_WAITING) {
            context.channel().config().setAutoRead(false);
        }
        TakeOverHandler takeOver = new TakeOverHandler(context);
        channel.closeFuture().addListener(takeOver);
        channel.pipeline().addLast(takeOver);
        context.fireChannelRead(accepted);
    }

    private void takenOver(Channel server) {
        if (waiting-- == MOST_WAITING) {
            server.config().setAutoRead(true);
        }
    }

    /**
     * Detects that an event loop has taken over the connection: Netty adds this handler to the pipeline at that time.
     * If the kernel has no memory for another connection, Netty closes the connection instead.
     */
    private final class TakeOverHandler extends ChannelHandlerAdapter implements ChannelFutureListener {

        private final ChannelHandlerContext server;

        TakeOverHandler(ChannelHandlerContext server) {
            this.server = server;
        }

        @Override
        public void handlerAdded(ChannelHandlerContext context) {
            context.pipeline().remove(this);
            context.channel().closeFuture().removeListener(this);
            end();
        }

        @Override
        public void operationComplete(ChannelFuture closed) {
            end();
        }

        private void end() {
            server.executor().execute(() -> takenOver(server.channel()));
        }
    }
}
