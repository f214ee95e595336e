package dev.sluice.webhook.intake;

import java.lang.ref.SoftReference;
import java.util.ArrayDeque;

/**
 * A pool of arrays for the pieces of large bodies. It is thread-safe. Without the pool, an attacker could fill the heap
 * with garbage within a second, and the collection of this garbage would stop every thread. The memory budget limits
 * the size of the pool.
 */
public final class BodyPiecePool {

    static final int PIECE = 256 * 1024;

    /**
     * The arrays that are not in use. The references are soft, so that the garbage collector can free the memory after
     * an attack.
     */
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

    /** Returns a piece to the pool after its last use. An array of another size is dropped. */
    synchronized void give(byte[] piece) {
        if (piece.length == PIECE) {
            free.push(new SoftReference<>(piece));
        }
    }
}
