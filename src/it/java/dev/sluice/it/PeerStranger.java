package dev.sluice.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLContext;

/** Somebody who calls the port for replicas and is none of them, or not one of this release. */
final class PeerStranger implements AutoCloseable {

    private static final int BINARY_AND_FINAL = 0x82;
    private static final int MASKED = 0x80;
    private static final int LONG_LENGTH = 126;
    private static final int LONGEST_LENGTH = 127;

    private final RawConnection connection;

    private PeerStranger(RawConnection connection) {
        this.connection = connection;
    }

    /** The handshake is done, as far as the caller knows. */
    static PeerStranger calling(int port, SSLContext tls) throws IOException {
        return new PeerStranger(new RawConnection(tls.getSocketFactory()
                .createSocket(InetAddress.getLoopbackAddress().getHostAddress(), port)));
    }

    /** The status of the answer to a plain request. */
    int ask(String path) throws IOException {
        connection.send("GET " + path + " HTTP/1.1\r\nHost: gpu-webhook-peers\r\n\r\n");
        return connection.answer().status();
    }

    /** Opens the stream of messages to the process with this identity, and returns the status of the answer. */
    int open(String identity) throws IOException {
        connection.send("""
                GET /v1/replication/%s HTTP/1.1\r
                Host: gpu-webhook-peers\r
                Upgrade: websocket\r
                Connection: Upgrade\r
                Sec-WebSocket-Version: 13\r
                Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r
                \r
                """.formatted(URLEncoder.encode(identity, UTF_8)));
        return connection.answer().status();
    }

    /** Sends a message in one frame, masked with zeros. */
    void send(String message) throws IOException {
        byte[] payload = message.getBytes(UTF_8);
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        frame.write(BINARY_AND_FINAL);
        frame.write(MASKED | LONG_LENGTH);
        frame.writeBytes(ByteBuffer.allocate(2).putShort((short) payload.length).array());
        frame.writeBytes(new byte[4]);
        frame.writeBytes(payload);
        connection.send(frame.toByteArray());
    }

    /** Sends the begin of a frame that claims to have as many bytes as a frame can have. */
    void sendEndlessFrame() throws IOException {
        ByteBuffer head = ByteBuffer.allocate(14);
        head.put((byte) BINARY_AND_FINAL).put((byte) (MASKED | LONGEST_LENGTH)).putLong(Long.MAX_VALUE);
        connection.send(head.array());
    }

    /** Waits for the other side to end the connection. */
    void awaitEnd() throws IOException {
        connection.awaitEnd();
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }
}
