package dev.sluice.it;

import dev.sluice.tls.CertificateAuthority;
import dev.sluice.tls.CertifiedKey;
import dev.sluice.tls.ServerCertificateNames;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.PemKeyCertOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The part of a kubelet that forwards ports, by the protocol that the API server passes on: each message of a WebSocket
 * begins with its channel, 0 for data and 1 for errors, and the first message of each channel is the port. A pod is a
 * port of this machine.
 */
final class ForwardingKubelet implements AutoCloseable {

    private static final String PROTOCOL = "v4.channel.k8s.io";
    private static final String PATH = "/portForward/";
    private static final byte DATA = 0;
    private static final byte ERRORS = 1;

    private final Vertx vertx = Vertx.vertx();
    private final Map<String, Integer> pods = new ConcurrentHashMap<>();
    private final Map<String, AtomicInteger> counts = new ConcurrentHashMap<>();
    private final Map<String, Set<NetSocket>> sockets = new ConcurrentHashMap<>();
    private final HttpServer server;

    ForwardingKubelet(CertificateAuthority authority) {
        CertifiedKey pair = authority.issue(
                new ServerCertificateNames(List.of("kubelet"), List.of("127.0.0.1")),
                Instant.now(),
                Duration.ofDays(1));
        server = vertx.createHttpServer(new HttpServerOptions()
                        .setSsl(true)
                        .addWebSocketSubProtocol(PROTOCOL)
                        .setKeyCertOptions(new PemKeyCertOptions()
                                .addCertValue(Buffer.buffer(pair.certificatePem()))
                                .addKeyValue(Buffer.buffer(pair.keyPem()))))
                .webSocketHandshakeHandler(asked -> {
                    if (pods.containsKey(pod(asked.path()))) {
                        asked.accept();
                    } else {
                        asked.reject(404);
                    }
                })
                .webSocketHandler(this::forward)
                .listen(0, "127.0.0.1")
                .await();
    }

    private static String pod(String path) {
        return path.startsWith(PATH) ? path.substring(path.lastIndexOf('/') + 1) : "";
    }

    int port() {
        return server.actualPort();
    }

    /** Begins to forward connections for a pod to this port. */
    void run(String pod, int port) {
        pods.put(pod, port);
    }

    /** Ends all connections of a pod, and takes no more. */
    void end(String pod) {
        pods.remove(pod);
        sockets.getOrDefault(pod, Set.of()).forEach(NetSocket::close);
    }

    /** Returns how many connections were forwarded for a pod. */
    int forwarded(String pod) {
        return counts.getOrDefault(pod, new AtomicInteger()).get();
    }

    private void forward(ServerWebSocket caller) {
        String pod = pod(caller.path());
        int port = pods.getOrDefault(pod, 0);
        caller.pause();
        vertx.createNetClient()
                .connect(port, "127.0.0.1")
                .onSuccess(called -> {
                    counts.computeIfAbsent(pod, _ -> new AtomicInteger()).incrementAndGet();
                    sockets.computeIfAbsent(pod, _ -> ConcurrentHashMap.newKeySet())
                            .add(called);
                    for (byte channel : new byte[] {DATA, ERRORS}) {
                        var _ = caller.writeBinaryMessage(
                                Buffer.buffer().appendByte(channel).appendUnsignedShortLE(port));
                    }
                    caller.binaryMessageHandler(message -> {
                        if (message.length() > 1 && message.getByte(0) == DATA) {
                            var _ = called.write(message.getBuffer(1, message.length()));
                        }
                    });
                    called.handler(data -> caller.writeBinaryMessage(
                            Buffer.buffer().appendByte(DATA).appendBuffer(data)));
                    called.closeHandler(_ -> caller.close());
                    caller.closeHandler(_ -> called.close());
                    caller.resume();
                })
                .onFailure(_ -> caller.close());
    }

    @Override
    public void close() {
        vertx.close().await();
    }
}
