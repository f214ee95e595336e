package dev.sluice.connection;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/** Sees the bytes before they are understood: the first one after an answer begins a head. */
final class HeadWatch extends ChannelInboundHandlerAdapter {

    private final Connection connection;

    HeadWatch(Connection connection) {
        this.connection = connection;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object bytes) {
        Phase phase = connection.phase();
        if (phase == Phase.FRESH || phase == Phase.IDLE) {
            connection.enter(Phase.HEAD);
        }
        context.fireChannelRead(bytes);
    }
}
