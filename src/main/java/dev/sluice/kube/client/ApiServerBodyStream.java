package dev.sluice.kube.client;

import io.fabric8.kubernetes.client.http.AsyncBody;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The body of a response. The thread of the caller reads it while threads of the transport deliver it. The next part is
 * requested only after the caller has read the previous part. A slow reader therefore slows down the sender and does
 * not fill the memory.
 *
 * <p>A part may end in the middle of a UTF-8 character. The caller must not decode each part on its own.
 */
public final class ApiServerBodyStream extends InputStream implements AsyncBody.Consumer<List<ByteBuffer>> {

    /** Thrown if no data has arrived within the idle timeout. The connection may be dead. */
    public static final class IdleTimeout extends IOException {
        private static final long serialVersionUID = 1;

        IdleTimeout(Duration waited) {
            super("no data was received for " + waited.toSeconds() + " s");
        }
    }

    private sealed interface Piece {
        record Bytes(List<ByteBuffer> buffers) implements Piece {}

        record End(@Nullable Throwable cause) implements Piece {}
    }

    private final BlockingQueue<Piece> pieces = new LinkedBlockingQueue<>();
    private final Duration idleTimeout;
    private final Queue<ByteBuffer> current = new ArrayDeque<>();
    private @Nullable AsyncBody body;
    /** The value of {@link System#nanoTime} at which the body must be complete; null if it may take any time. */
    private @Nullable Long deadline;

    private boolean ended;

    ApiServerBodyStream(Duration idleTimeout) {
        this.idleTimeout = idleTimeout;
    }

    @Override
    public void consume(List<ByteBuffer> buffers, AsyncBody from) {
        pieces.add(new Piece.Bytes(buffers));
    }

    /**
     * Connects this stream to the body of the response. {@link ApiServer} calls this method when the response has
     * begun.
     */
    void open(AsyncBody response) {
        body = response;
        var _ = response.done().whenComplete((_, cause) -> pieces.add(new Piece.End(cause)));
    }

    /** Limits the time for the whole body. A read that would wait longer fails. */
    void endBy(long nanoTime) {
        deadline = nanoTime;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        while (!ended) {
            ByteBuffer buffer = current.peek();
            if (buffer == null) {
                await();
            } else if (buffer.hasRemaining()) {
                int count = Math.min(length, buffer.remaining());
                buffer.get(target, offset, count);
                return count;
            } else {
                current.remove();
            }
        }
        return -1;
    }

    private void await() throws IOException {
        if (pieces.isEmpty() && body != null) {
            body.consume();
        }
        switch (nextPiece()) {
            case Piece.Bytes(var buffers) -> current.addAll(buffers);
            case Piece.End(var cause) -> {
                ended = true;
                if (cause != null) {
                    throw new IOException("the connection broke: " + cause.getMessage(), cause);
                }
            }
        }
    }

    private Piece nextPiece() throws IOException {
        try {
            long left = deadline == null ? Long.MAX_VALUE : deadline - System.nanoTime();
            Piece piece = pieces.poll(Math.min(left, idleTimeout.toNanos()), TimeUnit.NANOSECONDS);
            if (piece != null) {
                return piece;
            }
            throw left < idleTimeout.toNanos()
                    ? new IOException("the answer was not complete in time")
                    : new IdleTimeout(idleTimeout);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw (InterruptedIOException) new InterruptedIOException("stopped").initCause(stopped);
        }
    }

    /** Cancels the request if it is not complete. */
    @Override
    public void close() {
        ended = true;
        if (body != null) {
            body.cancel();
        }
    }
}
