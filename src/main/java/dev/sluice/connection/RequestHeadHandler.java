package dev.sluice.connection;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/** Sees the bytes before they are decoded. The first byte after an answer begins a head. */
final class RequestHeadHandler extends ChannelInboundHandlerAdapter {

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
