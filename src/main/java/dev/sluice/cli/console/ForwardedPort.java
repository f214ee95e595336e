package dev.sluice.cli.console;

import dev.sluice.cli.console.GatewayInCluster.ManagementPort;
import dev.sluice.kube.client.ApiServer;
import io.fabric8.kubernetes.client.http.WebSocket;
import io.fabric8.kubernetes.client.http.WebSocketHandshakeException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A port of the loopback address that is forwarded to the management port of a pod. Each connection has its own
 * WebSocket to the API server. The first byte of each message is the number of its channel: 0 for data, 1 for errors.
 * The first message of each channel contains the number of the pod's port.
 *
 * <p>This class replaces the port forwarding of fabric8, which loses data while an earlier message is still being sent,
 * repeats a refused request for a minute, and keeps the WebSocket open after the caller has closed the connection.
 */
final class ForwardedPort implements AutoCloseable {

    private static final String PROTOCOL = "v4.channel.k8s.io";
    private static final byte DATA = 0;
    private static final int CHANNELS = 2;

    /** The maximum length of a message in bytes, including the byte for the channel. */
    private static final int MESSAGE_BYTES = 32 * 1_024;

    private static final int NORMAL_CLOSURE = 1_000;

    private final ManagementPort port;
    private final ApiServer api;
    private final String target;
    private final ServerSocket server;
    private final Set<ForwardedConnection> connections = ConcurrentHashMap.newKeySet();
    private volatile OptionalInt refusal = OptionalInt.empty();

    /** Listens on a free port. */
    ForwardedPort(ApiServer api, String namespace, ManagementPort port) throws IOException {
        this.port = port;
        this.api = api;
        this.target = "api/v1/namespaces/" + namespace + "/pods/" + port.pod() + "/portforward?ports=" + port.number();
        this.server = new ServerSocket(0, /* backlog= */ 0, InetAddress.getLoopbackAddress());
        var _ = Thread.ofPlatform().daemon().name("forwarded-port").start(this::accept);
    }

    /** Returns the port of the pod. */
    ManagementPort port() {
        return port;
    }

    /**
     * Returns the HTTP status with which the API server has refused to forward a connection: 403 if the user lacks a
     * right, 404 if the pod is gone, 500 if the kubelet cannot be reached. Returns empty if no connection was refused.
     * The API server decides about each connection separately, so the result is known only after something has
     * connected to the port.
     */
    OptionalInt refusal() {
        return refusal;
    }

    /** Returns the URL of the forwarded port. */
    String base() {
        return (port.isGuarded() ? "https" : "http") + "://127.0.0.1:" + server.getLocalPort();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                ForwardedConnection connection = new ForwardedConnection(server.accept());
                connections.add(connection);
                connection.open();
            } catch (IOException _) {
                // The port was closed, or this process has reached its limit of open files. In both cases the
                // forwarding ends.
                close();
            }
        }
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException _) {
            // The failure is ignored, because nobody uses the port any more.
        }
        connections.forEach(ForwardedConnection::end);
    }

    /** Passes on what the caller sends and what the pod sends, until one of them closes the connection. */
    private final class ForwardedConnection implements WebSocket.Listener {

        private final Socket caller;
        private int portsRead;

        ForwardedConnection(Socket caller) {
            this.caller = caller;
        }

        void open() {
            var _ = api.webSocket(target).subprotocol(PROTOCOL).buildAsync(this).exceptionally(failure -> {
                refused(failure);
                return null;
            });
        }

        private void refused(Throwable failure) {
            @Nullable Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
            if (cause instanceof WebSocketHandshakeException refused) {
                refusal = OptionalInt.of(refused.getResponse().code());
            }
            end();
        }

        @Override
        public void onOpen(WebSocket called) {
            if (server.isClosed()) {
                end();
            }
            var _ = Thread.ofPlatform().daemon().name("forwarded-connection").start(() -> sendAll(called));
        }

        private void sendAll(WebSocket called) {
            byte[] message = new byte[MESSAGE_BYTES];
            message[0] = DATA;
            try (InputStream sent = caller.getInputStream()) {
                for (int length = read(sent, message); length > 0; length = read(sent, message)) {
                    send(called, message, 1 + length);
                }
            } catch (IOException _) {
                // The failure is ignored, because the connection ends now.
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            } finally {
                end();
                called.sendClose(NORMAL_CLOSURE, "");
            }
        }

        private static int read(InputStream sent, byte[] message) throws IOException {
            return sent.read(message, 1, message.length - 1);
        }

        /**
         * Sends a message. The WebSocket refuses a message while it is still sending the previous one, and it does not
         * report when it has finished. Therefore this method tries again until the WebSocket accepts the message.
         */
        private void send(WebSocket called, byte[] message, int length) throws IOException, InterruptedException {
            while (!called.send(ByteBuffer.wrap(message, 0, length))) {
                if (caller.isClosed()) {
                    throw new IOException("the connection has ended");
                }
                Thread.sleep(1);
            }
        }

        @Override
        public void onMessage(WebSocket called, ByteBuffer message) {
            if (portsRead < CHANNELS) {
                portsRead++;
                called.request();
                return;
            }
            if (!message.hasRemaining() || message.get() != DATA) {
                end();
                return;
            }
            byte[] data = new byte[message.remaining()];
            message.get(data);
            try {
                caller.getOutputStream().write(data);
                called.request();
            } catch (IOException _) {
                end();
            }
        }

        @Override
        public void onClose(WebSocket called, int code, String reason) {
            end();
        }

        @Override
        public void onError(WebSocket called, Throwable failure) {
            refused(failure);
        }

        void end() {
            connections.remove(this);
            try {
                caller.close();
            } catch (IOException _) {
                // The failure is ignored, because the connection has ended.
            }
        }
    }
}
