package dev.sluice.peers;

import dev.sluice.log.TokenBucket;
import dev.sluice.metrics.parts.PeerMetrics;
import dev.sluice.metrics.parts.PeerMetrics.PeerMessageFate;
import dev.sluice.replication.Member;
import io.netty.buffer.Unpooled;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketConnectOptions;
import io.vertx.core.internal.buffer.BufferInternal;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection over which this replica sends messages to one other replica. If the connection is not open, the next
 * message opens it. As long as the other replica takes part in the protocol, a message is sent at least every 100 ms,
 * so a broken connection is soon opened again.
 */
final class PeerLink {

    private static final Logger LOG = LoggerFactory.getLogger(PeerLink.class);

    static final String PATH = "/v1/replication/";

    /** The maximum number of messages that wait while the connection is being opened, which takes milliseconds. */
    private static final int MOST_WAITING = 16;

    /**
     * The maximum number of bytes that wait until the other replica reads them. The last accepted message may exceed
     * the limit.
     */
    private static final int MOST_UNSENT_BYTES = 1024 * 1024;

    private static final int CONNECT_TIMEOUT_MILLIS = 1_000;
    private static final long FIRST_PAUSE_NANOS = Duration.ofMillis(100).toNanos();
    private static final long LONGEST_PAUSE_NANOS = Duration.ofMillis(500).toNanos();
    /**
     * If all attempts have failed for this time, a warning is logged. A replica that terminates during a rollout causes
     * no warning, because this replica stops sending messages to it earlier.
     */
    private static final long PATIENCE_NANOS = Duration.ofSeconds(2).toNanos();

    private static final long UNUSED_NANOS = Duration.ofSeconds(30).toNanos();

    private static final double ONCE_A_MINUTE = 1 / 60.0;

    private final WebSocketClient client;
    private final Member member;
    private final PeerMemberAddress address;
    private final PeerMetrics metrics;
    private final Queue<Buffer> waiting = new ArrayDeque<>();
    private final TokenBucket lines = new TokenBucket(ONCE_A_MINUTE, 1, Instant.now());
    private @Nullable WebSocket socket;
    private boolean connecting;
    /**
     * True if the certificate has changed while the connection was being opened. As soon as the connection is open, it
     * is replaced by another one with the new certificate.
     */
    private boolean outdated;

    private boolean closed;
    private long usedAt = System.nanoTime();
    /**
     * The time at which the connection was last opened or closed. Before the first connection, it is the time of the
     * first attempt.
     */
    private long reachableAt = usedAt;

    private long retryAt = usedAt;
    private long pause = FIRST_PAUSE_NANOS;

    PeerLink(WebSocketClient client, Member member, PeerMemberAddress address, PeerMetrics metrics) {
        this.client = client;
        this.member = member;
        this.address = address;
        this.metrics = metrics;
    }

    /** Sends a message. Returns false if the message is dropped. */
    boolean send(byte[] json) {
        usedAt = System.nanoTime();
        Buffer message = BufferInternal.buffer(Unpooled.wrappedBuffer(json));
        WebSocket open = socket;
        if (open != null && !open.isClosed()) {
            return write(open, message);
        }
        if (!connecting && usedAt - retryAt < 0) {
            return false;
        }
        boolean kept = waiting.size() < MOST_WAITING && waiting.add(message);
        connect();
        return kept;
    }

    private boolean write(WebSocket open, Buffer message) {
        if (open.isClosed() || open.writeQueueFull()) {
            return false;
        }
        var _ = open.writeBinaryMessage(message);
        metrics.count(PeerMessageFate.SENT);
        return true;
    }

    /**
     * Opens the connection. The path contains the identity of the process that should receive the messages. If another
     * process has the address now, it refuses the connection, so no process receives messages that are meant for
     * another one.
     */
    private void connect() {
        if (connecting) {
            return;
        }
        connecting = true;
        outdated = false;
        WebSocketConnectOptions options = new WebSocketConnectOptions();
        options.setHost(address.host())
                .setPort(address.port())
                .setURI(pathOf(member.identity()))
                .setTimeout(CONNECT_TIMEOUT_MILLIS);
        client.connect(options).onComplete(this::opened, this::failed);
    }

    /** Returns the path at which the process with this identity receives messages. */
    static String pathOf(String identity) {
        return PATH + URLEncoder.encode(identity, StandardCharsets.UTF_8);
    }

    private void opened(WebSocket opened) {
        connecting = false;
        if (closed) {
            var _ = opened.close();
            return;
        }
        WebSocket old = socket;
        socket = opened;
        pause = FIRST_PAUSE_NANOS;
        reachableAt = System.nanoTime();
        metrics.connected();
        opened.setWriteQueueMaxSize(MOST_UNSENT_BYTES);
        opened.exceptionHandler(_ -> {});
        opened.closeHandler(_ -> {
            if (opened.equals(socket)) {
                socket = null;
                reachableAt = System.nanoTime();
                retryAt = reachableAt + FIRST_PAUSE_NANOS;
            }
        });
        for (Buffer message = waiting.poll(); message != null; message = waiting.poll()) {
            if (!write(opened, message)) {
                metrics.count(PeerMessageFate.DROPPED);
            }
        }
        if (old != null) {
            var _ = old.close();
        }
        if (outdated) {
            connect();
        }
    }

    private void failed(Throwable cause) {
        connecting = false;
        metrics.failedToConnect();
        waiting.forEach(_ -> metrics.count(PeerMessageFate.DROPPED));
        waiting.clear();
        retryAt = System.nanoTime() + pause;
        pause = Math.min(2 * pause, LONGEST_PAUSE_NANOS);
        if (!closed && System.nanoTime() - reachableAt > PATIENCE_NANOS && lines.takeIfAny(Instant.now())) {
            LOG.atWarn()
                    .addKeyValue("replica", member.identity())
                    .addKeyValue("address", member.address())
                    .addKeyValue("cause", cause)
                    .log("another replica cannot be reached; it is tried again");
        }
    }

    /** Opens another connection. The old connection is closed when the new one is open. */
    void reopen() {
        if (connecting) {
            outdated = true;
        } else if (socket != null) {
            connect();
        }
    }

    /** Closes the connection if nothing was sent for a while. Returns true if it is closed. */
    boolean closeIfUnused(long now) {
        boolean unused = now - usedAt > UNUSED_NANOS;
        if (unused) {
            close();
        }
        return unused;
    }

    void close() {
        closed = true;
        waiting.clear();
        if (socket != null) {
            var _ = socket.close();
        }
    }
}
