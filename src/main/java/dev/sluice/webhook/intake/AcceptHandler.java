package dev.sluice.webhook.intake;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerAdapter;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/**
 * Handles one server socket, whose messages are the accepted connections. It accepts them as fast as the event loops
 * take them over: a gateway that is behind, because the JVM is cold, would otherwise spend its time on the handshakes
 * of clients that it keeps waiting, and they open a further connection for each call that waits. The others stay in the
 * kernel's queue. A connection that does nothing is taken over at once, so that it holds up no other one.
 */
final class AcceptHandler extends ChannelInboundHandlerAdapter {

    /** An event loop serves what all its connections have sent between two looks at the new ones. */
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
     * Netty adds it when an event loop has the connection. Where that fails, because the kernel has no memory for one
     * more, Netty closes the connection instead.
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
