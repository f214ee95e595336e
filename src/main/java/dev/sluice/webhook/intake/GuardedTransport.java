package dev.sluice.webhook.intake;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.ChannelOption;
import io.netty.channel.RecvByteBufAllocator;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.transport.Transport;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;

/**
 * Wraps Vert.x's best transport for this machine, which creates the server sockets. The wrapper adds a handler to each
 * of them, so that connections are counted when they are accepted (decision 12). Vert.x itself reports a connection
 * only after its TLS handshake.
 */
public final class GuardedTransport {

    private GuardedTransport() {}

    /** Returns a transport that counts the connections of these ports. It does not change other ports. */
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

    /** Returns a proxy that passes every call to the real transport, and adds a handler to each server socket. */
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
                            countAccepted(
                                    server,
                                    new ConnectionAcceptHandler(
                                            connections,
                                            options.isSsl() ? ConnectionPhase.HANDSHAKE : ConnectionPhase.FRESH));
                        }
                    }
                    return result;
                }));
    }

    /**
     * Adds the counting handler to a server socket. Also limits each read to 16 KiB, so that one connection does not
     * delay other connections of the same event loop. Vert.x would read 16 times as much.
     */
    @SuppressWarnings("deprecation") // Netty has no other option for this limit.
    private static void countAccepted(ServerBootstrap server, ConnectionAcceptHandler door) {
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
}
