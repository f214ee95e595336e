package dev.sluice.webhook;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.TreeMap;
import javax.net.ssl.SSLException;

/** An HTTP client without manners: it sends the bytes it is told to, in the pieces it is told to. */
public final class RawClient implements AutoCloseable {

    /** A server that says nothing for so long has failed the test. */
    private static final int PATIENCE_MILLIS = 10_000;

    static final int CLOSED = 0;

    /** Whether a body follows the head; after HEAD none does, whatever is declared. */
    enum Body {
        AS_DECLARED,
        NONE
    }

    private final Socket wire;
    private final InputStream in;
    private final OutputStream out;
    private volatile boolean sendable = true;

    /** Speaks plainly. */
    public RawClient(Socket socket) throws IOException {
        this(socket, socket);
    }

    /** Speaks through {@code tls} and can cut the {@code wire} below it. */
    RawClient(Socket wire, Socket tls) throws IOException {
        this.wire = wire;
        wire.setSoTimeout(PATIENCE_MILLIS);
        wire.setTcpNoDelay(true);
        this.in = new BufferedInputStream(tls.getInputStream());
        this.out = tls.getOutputStream();
    }

    @CanIgnoreReturnValue
    public RawClient send(String text) throws IOException {
        return send(text.getBytes(StandardCharsets.UTF_8));
    }

    @CanIgnoreReturnValue
    public RawClient send(byte[] bytes) throws IOException {
        out.write(bytes);
        out.flush();
        return this;
    }

    public Reply read() throws IOException {
        return read(Body.AS_DECLARED);
    }

    Reply read(Body body) throws IOException {
        String[] status = line().split(" ", 3);
        if (!status[0].matches("HTTP/\\d\\.\\d") || !status[1].matches("[1-5]\\d\\d")) {
            throw new IOException("not a status line: " + String.join(" ", status));
        }
        TreeMap<String, String> headers = new TreeMap<>();
        for (String line = line(); !line.isEmpty(); line = line()) {
            String[] parts = line.split(": ?", 2);
            if (headers.put(parts[0].toLowerCase(Locale.ROOT), parts[1]) != null) {
                throw new IOException("header twice: " + parts[0]);
            }
        }
        int length = body == Body.NONE ? 0 : Integer.parseInt(headers.getOrDefault("content-length", "0"));
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("the body ends after " + bytes.length + " of " + length + " bytes");
        }
        return new Reply(Integer.parseInt(status[1]), headers, new String(bytes, StandardCharsets.UTF_8));
    }

    private String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("closed after \"" + line.toString(StandardCharsets.UTF_8) + '"');
            }
            line.write(next);
        }
        return line.toString(StandardCharsets.UTF_8).stripTrailing();
    }

    /** True once the server has ended the connection; false when it sends something instead. */
    public boolean isClosed() throws IOException {
        try {
            return in.read() < 0;
        } catch (SocketTimeoutException stillOpen) {
            throw stillOpen;
        } catch (SocketException | SSLException reset) {
            return true;
        }
    }

    /** Sends on another thread what the server may not want to read to its end. */
    @CanIgnoreReturnValue
    public Thread offer(byte[] bytes) {
        return Thread.ofVirtual().start(() -> {
            try {
                send(bytes);
            } catch (IOException refused) {
                sendable = false;
            }
        });
    }

    /** False once the server has refused to take more of what was offered. */
    public boolean isOpen() {
        return sendable;
    }

    /** The status of the answer, or {@link #CLOSED} where the connection ends without one. */
    int statusOrClosed() throws IOException {
        try {
            return read().status();
        } catch (EOFException | SocketException | SSLException closed) {
            return CLOSED;
        }
    }

    /** One answer of 400 or more and the end, or just the end. */
    boolean endsWithAtMostOneRefusal() throws IOException {
        int status = statusOrClosed();
        return status == CLOSED || (status >= 400 && isClosed());
    }

    /** True when nothing like HTTP comes before the end; an alert of TLS may. */
    boolean endsWithoutAWord() throws IOException {
        try {
            return !new String(in.readAllBytes(), StandardCharsets.ISO_8859_1).contains("HTTP");
        } catch (SocketException reset) {
            return true;
        }
    }

    /** Ends without any farewell, as a process that was killed. */
    public void vanish() throws IOException {
        wire.setSoLinger(true, 0);
        wire.close();
    }

    @Override
    public void close() throws IOException {
        wire.close();
    }
}
