package dev.sluice.connection;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.RecvByteBufAllocator;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.transport.Transport;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;

/**
 * The best transport of this machine, which asks before it takes a connection. Vert.x tells of a connection only after
 * the TLS handshake, so that half a handshake would count nowhere; its transport is the one place that is told which
 * server socket is being opened.
 */
public final class GuardedTransport {

    private GuardedTransport() {}

    /** By the port of each listener, its connections; other ports are not guarded. */
    public static Transport of(Map<Integer, Connections> byPort) {
        Transport best = Transport.nativeTransport();
        Transport real = best != null && best.available() ? best : Transport.NIO;
        return new Guarded(real, guarded(real.implementation(), Map.copyOf(byPort)));
    }

    private record Guarded(Transport real, io.vertx.core.spi.transport.Transport implementation) implements Transport {

        @Override
        public String name() {
            return real.name();
        }

        @Override
        public boolean available() {
            return real.available();
        }

        @Override
        public Throwable unavailabilityCause() {
            return real.unavailabilityCause();
        }
    }

    /** All is left to the real one, whatever methods it has; a server socket is guarded afterwards. */
    private static io.vertx.core.spi.transport.Transport guarded(
            io.vertx.core.spi.transport.Transport real, Map<Integer, Connections> byPort) {
        Class<io.vertx.core.spi.transport.Transport> type = io.vertx.core.spi.transport.Transport.class;
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (_, method, arguments) -> {
                    Object result = call(real, method, arguments);
                    if (arguments != null
                            && arguments[0] instanceof NetServerOptions options
                            && arguments[arguments.length - 1] instanceof ServerBootstrap server) {
                        Connections connections = byPort.get(options.getPort());
                        if (connections != null) {
                            countAccepted(server, new AcceptHandler(connections, options.isSsl() ? ConnectionPhase.HANDSHAKE : ConnectionPhase.FRESH));
                        }
                    }
                    return result;
                }));
    }

    /**
     * A connection is read for 16 KiB at a time at most, so that one which sends much lets others have their turn on
     * the event loop. Vert.x would take 16 times as much, and more at once.
     */
    @SuppressWarnings("deprecation") // Netty names no other option for it
    private static void countAccepted(ServerBootstrap server, AcceptHandler door) {
        RecvByteBufAllocator smallReads = new AdaptiveRecvByteBufAllocator(512, 2_048, 16 * 1024).maxMessagesPerRead(1);
        server.handler(door).childOption(ChannelOption.RCVBUF_ALLOCATOR, smallReads);
    }

    private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        }
    }

    /** Stands in the pipeline of the server socket, where each accepted connection comes by as a message. */
    @Sharable
    private static final class AcceptHandler extends ChannelInboundHandlerAdapter {

        private final Connections connections;
        private final ConnectionPhase first;

        AcceptHandler(Connections connections, ConnectionPhase first) {
            this.connections = connections;
            this.first = first;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object accepted) {
            Channel channel = (Channel) accepted;
            if (connections.admit(channel, first)) {
                context.fireChannelRead(accepted);
            } else {
                channel.unsafe().closeForcibly();
            }
        }
    }
}
