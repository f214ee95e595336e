package dev.sluice.webhook.intake;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerAdapter;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/**
 * Limits how many accepted connections of one server socket wait for an event loop. All further connections stay in the
 * kernel's queue. Without the limit, a slow gateway would be busy with the TLS handshakes of waiting clients, and these
 * clients would open even more connections.
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
     * Ends the wait of a connection. Netty adds this handler to the pipeline when an event loop takes the connection
     * over. The wait also ends if Netty closes the connection, because the kernel has no memory for it.
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
