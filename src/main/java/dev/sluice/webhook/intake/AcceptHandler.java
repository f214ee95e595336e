package dev.sluice.webhook.intake;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerAdapter;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/**
 * Limits how many connections of one server socket wait for an event loop. A gateway that is slow, for example because
 * the JVM is cold, would otherwise spend its time on TLS handshakes of clients that are waiting, and these clients open
 * a further connection for each waiting call. The connections beyond the limit stay in the kernel's queue. An event
 * loop takes over a connection without waiting for its data, so an idle connection does not delay others.
 */
final class AcceptHandler extends ChannelInboundHandlerAdapter {

    /**
     * The maximum number of connections that wait for an event loop. Between two looks at new connections, an event
     * loop serves what all its connections have sent.
     */
    private static final int MOST_WAITING = 2;

    private final Connections connections;
    private final ConnectionPhase first;
    private int waiting;

    AcceptHandler(Connections connections, ConnectionPhase first) {
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
     * Reports that an event loop has taken over the connection: Netty adds the handler at that moment. If the take-over
     * fails because the kernel has no memory for one more connection, Netty closes the connection instead.
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
