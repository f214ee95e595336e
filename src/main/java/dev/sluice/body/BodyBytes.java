package dev.sluice.body;

import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;

/** The bytes of a body, in pieces that are joined once instead of being copied as the body grows. */
final class BodyBytes {

    /** The least size of a piece, so that many tiny chunks do not become as many objects. */
    private static final int PIECE = 16 * 1024;

    private final List<byte[]> pieces = new ArrayList<>(1);
    private int used;
    private int length;

    int length() {
        return length;
    }

    void append(Buffer chunk) {
        int size = chunk.length();
        length += size;
        int taken = 0;
        if (!pieces.isEmpty()) {
            byte[] last = pieces.getLast();
            taken = Math.min(size, last.length - used);
            chunk.getBytes(0, taken, last, used);
            used += taken;
        }
        if (taken < size) {
            // An ordinary review comes in one or two chunks.
            byte[] next = new byte[pieces.isEmpty() ? size : Math.max(size - taken, PIECE)];
            chunk.getBytes(taken, size, next, 0);
            used = size - taken;
            pieces.add(next);
        }
    }

    /** Joins the pieces and drops them. */
    byte[] join() {
        if (pieces.size() == 1 && pieces.getFirst().length == length) {
            return pieces.getFirst();
        }
        byte[] all = new byte[length];
        int at = 0;
        for (byte[] piece : pieces) {
            int size = Math.min(piece.length, length - at);
            System.arraycopy(piece, 0, all, at, size);
            at += size;
        }
        pieces.clear();
        return all;
    }
}
