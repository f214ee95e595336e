package dev.sluice.webhook.intake;

import java.lang.ref.SoftReference;
import java.util.ArrayDeque;

/**
 * Arrays for the pieces of large bodies, which are used again. As garbage they would fill the old generation of the
 * heap within a second of hostile requests, and only a full collection, which stops every thread, takes that away. The
 * memory budget bounds how many are in use at a time, and so how many there are. For all threads.
 */
public final class PiecePool {

    static final int PIECE = 256 * 1024;

    /** Soft, so that an attack that is over leaves nothing behind for long. */
    private final ArrayDeque<SoftReference<byte[]>> free = new ArrayDeque<>();

    synchronized byte[] take() {
        for (SoftReference<byte[]> next = free.poll(); next != null; next = free.poll()) {
            byte[] piece = next.get();
            if (piece != null) {
                return piece;
            }
        }
        return new byte[PIECE];
    }

    /** Takes back a piece that nobody reads any more. An array of another size is not kept. */
    synchronized void give(byte[] piece) {
        if (piece.length == PIECE) {
            free.push(new SoftReference<>(piece));
        }
    }
}
