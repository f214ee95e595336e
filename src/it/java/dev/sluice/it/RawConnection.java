package dev.sluice.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;

/** One connection, over which a test sends whatever bytes it likes. Has one owner. */
final class RawConnection implements AutoCloseable {

    private static final int PATIENCE_MILLIS = (int) TimeUnit.SECONDS.toMillis(40);

    /** What came back. */
    record Answer(int status, String body) {}

    private final Socket socket;
    private final InputStream in;

    /** With TLS, the handshake is done. */
    RawConnection(Socket socket) throws IOException {
        this(socket, PATIENCE_MILLIS);
    }

    /** A read that takes longer than this many milliseconds fails. */
    RawConnection(Socket socket, int readTimeoutMillis) throws IOException {
        this.socket = socket;
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(readTimeoutMillis);
        if (socket instanceof SSLSocket tls) {
            tls.startHandshake();
        }
        in = new BufferedInputStream(socket.getInputStream());
    }

    /** The head and the body of a review, as the API server writes them. */
    static byte[] post(byte[] body) {
        byte[] head = head("Content-Length: " + body.length);
        byte[] request = new byte[head.length + body.length];
        System.arraycopy(head, 0, request, 0, head.length);
        System.arraycopy(body, 0, request, head.length, body.length);
        return request;
    }

    /** The head of a review whose body is framed by this header; the API server's patience stands in the URL. */
    static byte[] head(String framing) {
        return """
            POST /mutate?timeout=10s HTTP/1.1\r
            Host: localhost\r
            Content-Type: application/json\r
            %s\r
            \r
            """.formatted(framing).getBytes(UTF_8);
    }

    void send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
    }

    /** The first part of these bytes. */
    void send(byte[] bytes, int length) throws IOException {
        socket.getOutputStream().write(bytes, 0, length);
        socket.getOutputStream().flush();
    }

    void send(String text) throws IOException {
        send(text.getBytes(UTF_8));
    }

    /** Fails with an {@link EOFException} when the connection ends before a whole answer. */
    Answer answer() throws IOException {
        String[] status = line().split(" ", 3);
        int length = 0;
        for (String header = line(); !header.isEmpty(); header = line()) {
            if (header.regionMatches(/* ignoreCase= */ true, 0, "content-length:", 0, 15)) {
                length = Integer.parseInt(header.substring(15).strip());
            }
        }
        byte[] body = in.readNBytes(length);
        if (body.length < length) {
            throw new EOFException("the connection ended within the body");
        }
        return new Answer(Integer.parseInt(status[1]), new String(body, UTF_8));
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int octet = in.read(); octet != '\n'; octet = in.read()) {
            if (octet < 0) {
                throw new EOFException("the connection ended after \"" + line + '"');
            }
            line.append((char) octet);
        }
        return line.toString().stripTrailing();
    }

    /** Returns the lines up to the one that contains this text. */
    String readUntil(String text) throws IOException {
        StringBuilder read = new StringBuilder();
        String line;
        do {
            line = line();
            read.append(line).append('\n');
        } while (!line.contains(text));
        return read.toString();
    }

    /** Waits for the other side to end the connection, and throws away what comes before that. */
    void awaitEnd() throws IOException {
        restTo(OutputStream.nullOutputStream());
    }

    /** Waits for the other side to end the connection, and returns what comes before that. */
    String rest() throws IOException {
        ByteArrayOutputStream rest = new ByteArrayOutputStream();
        restTo(rest);
        return rest.toString(UTF_8);
    }

    private void restTo(OutputStream out) throws IOException {
        try {
            in.transferTo(out);
        } catch (SocketTimeoutException stillOpen) {
            throw stillOpen;
        } catch (SocketException | SSLException cut) {
            // It has ended, without a farewell.
        }
    }

    @Override
    public void close() throws IOException {
        if (!socket.isClosed()) {
            // Without a farewell, which a peer that reads nothing could hold up.
            socket.setSoLinger(/* on= */ true, 0);
        }
        socket.close();
    }
}
