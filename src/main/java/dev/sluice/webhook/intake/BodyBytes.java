package dev.sluice.webhook.intake;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.buffer.BufferInternal;
import java.io.InputStream;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a request body. They are stored in pieces, so that nothing is copied when the body grows. Only one
 * thread may use it at a time.
 */
public final class BodyBytes {

    /**
     * The minimum size of a piece in bytes. It prevents a client that sends many tiny chunks from creating as many
     * objects.
     */
    private static final int PIECE = 16 * 1024;

    private final ArrayDeque<byte[]> pieces = new ArrayDeque<>(1);
    private final BodyPiecePool pool;
    private int used;
    private int length;
    /** True if the bytes are kept after they have been read, because {@link #buffer} may return them later. */
    private boolean kept;

    BodyBytes(BodyPiecePool pool) {
        this.pool = pool;
    }

    /** Returns the bytes of a complete body. */
    public static BodyBytes of(byte[] body) {
        BodyBytes bytes = new BodyBytes(new BodyPiecePool());
        bytes.append(Buffer.buffer(body));
        return bytes;
    }

    /** Returns the bytes of a complete body. They are not copied if the buffer has an array of exactly their size. */
    public static BodyBytes of(Buffer body) {
        BodyBytes bytes = new BodyBytes(new BodyPiecePool());
        bytes.append(body);
        return bytes;
    }

    public int length() {
        return length;
    }

    void append(Buffer chunk) {
        int size = chunk.length();
        length += size;
        if (pieces.isEmpty()) {
            pieces.add(arrayOf(chunk));
            used = size;
            return;
        }
        byte[] last = pieces.getLast();
        int taken = Math.min(size, last.length - used);
        chunk.getBytes(0, taken, last, used);
        used += taken;
        if (taken < size) {
            byte[] next = piece(size - taken);
            chunk.getBytes(taken, size, next, 0);
            used = size - taken;
            pieces.add(next);
        }
    }

    /**
     * Returns the bytes of the first chunk, which is the whole body of an ordinary review. If Vert.x created the array
     * for this chunk alone, it is not copied.
     */
    private static byte[] arrayOf(Buffer chunk) {
        ByteBuf bytes = ((BufferInternal) chunk).getByteBuf();
        return bytes.hasArray() && bytes.array().length == chunk.length() ? bytes.array() : chunk.getBytes();
    }

    private byte[] piece(int least) {
        return length > BodyPiecePool.PIECE && least <= BodyPiecePool.PIECE
                ? pool.take()
                : new byte[Math.max(least, PIECE)];
    }

    /** Makes {@link #join} and {@link #stream} keep the bytes, so that {@link #buffer} can return them later. */
    public void keep() {
        kept = true;
    }

    /**
     * Returns the bytes without copying them. Their memory does not go back to the pool, because the buffer may be read
     * after this object was dropped.
     */
    public Buffer buffer() {
        ByteBuf all = Unpooled.wrappedBuffer(Math.max(1, pieces.size()), pieces.toArray(byte[][]::new))
                .slice(0, length);
        pieces.clear();
        // The buffer may be written several times. It is unreleasable, so that a write to a socket does not release it.
        return BufferInternal.buffer(Unpooled.unreleasableBuffer(all));
    }

    /** Releases the memory. Nobody may read the body afterwards. */
    public void drop() {
        pieces.forEach(pool::give);
        pieces.clear();
    }

    /** Returns the whole body in one array. A body can be read only once, either with this method or as a stream. */
    public byte[] join() {
        byte[] all = pieces.size() == 1 && pieces.getFirst().length == length ? pieces.remove() : joined();
        if (kept) {
            pieces.add(all);
        }
        return all;
    }

    private byte[] joined() {
        byte[] all = new byte[length];
        int at = 0;
        for (byte[] piece : pieces) {
            int size = Math.min(piece.length, length - at);
            System.arraycopy(piece, 0, all, at, size);
            at += size;
        }
        drop();
        return all;
    }

    /**
     * Returns the body as a stream. The stream releases each piece after it has been read, unless the bytes are kept.
     * Large bodies are read in this way: one large array would become garbage that only a full garbage collection
     * removes.
     */
    public InputStream stream() {
        return new PieceStream();
    }

    private final class PieceStream extends InputStream {

        private final ArrayDeque<byte[]> unread = kept ? new ArrayDeque<>(pieces) : pieces;
        private int left = length;
        private int at;

        @Override
        public int read() {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] into, int from, int most) {
            byte @Nullable [] piece = unread.peek();
            if (piece == null || left == 0) {
                return -1;
            }
            int size = Math.min(Math.min(piece.length - at, left), most);
            System.arraycopy(piece, at, into, from, size);
            at += size;
            left -= size;
            if (at == piece.length || left == 0) {
                unread.remove();
                if (!kept) {
                    pool.give(piece);
                }
                at = 0;
            }
            return size;
        }

        /** Releases the pieces that were not read because the body is invalid, so that the next body can use them. */
        @Override
        public void close() {
            if (!kept) {
                drop();
            }
        }
    }
}
