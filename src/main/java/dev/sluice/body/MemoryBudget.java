package dev.sluice.body;

import dev.sluice.connection.AbuseCause;
import dev.sluice.connection.AbuseCounter;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The memory that bodies, and what is made of them, may take in the whole process. Small bodies have a share of their
 * own, so that large ones cannot take it. For all threads.
 */
public final class MemoryBudget {

    /** Up to so many bytes a body takes from the share of the small ones: fifty times an ordinary review. */
    public static final int SMALL_BYTES = 256 * 1024;

    /**
     * What one byte of text becomes while it is read and decided, at most: the byte as it came, the byte of the whole
     * body, and the three that the decoder makes of it for the shapes of pods that cost the most
     * ({@code ReviewDecoder.WORST_EXPANSION}). ReviewMemoryTest measures what stays of each shape.
     */
    public static final int FACTOR = 5;

    /** Of the heap for all bodies together; the rest is for the ledger of a large cluster (50 MiB) and for garbage. */
    private static final double PART_OF_HEAP = 0.5;

    /** Of that for small bodies: 16 of the launcher's 96 MiB are a hundred ordinary reviews at once. */
    private static final double SMALL_PART = 1 / 6.0;

    /** A large body that has been coming for so long may have to give way; a good one has come by then. */
    private static final long LARGE_GRACE_NANOS = 1_000_000_000L;

    private final BudgetShare small;
    private final BudgetShare large;
    private final AbuseCounter abuse;

    private MemoryBudget(long smallBytes, long largeBytes, AbuseCounter abuse) {
        this.small = new BudgetShare(smallBytes, 0);
        this.large = new BudgetShare(largeBytes, LARGE_GRACE_NANOS);
        this.abuse = abuse;
    }

    /** Half of the heap; at least one body of {@code mostBytes} is admitted, whatever it becomes. */
    public static MemoryBudget of(long heapBytes, long mostBytes, AbuseCounter abuse) {
        double all = heapBytes * PART_OF_HEAP;
        long smallBytes = (long) (all * SMALL_PART);
        return new MemoryBudget(smallBytes, Math.max((long) all - smallBytes, mostBytes * FACTOR), abuse);
    }

    /** What is held now, in bytes of what text becomes. */
    public synchronized long heldBytes() {
        return small.held + large.held;
    }

    /** Nothing yet, for a body that begins; {@code refuse} is called, on any thread, when it has to give way. */
    public Hold begin(Runnable refuse) {
        return new Hold(refuse);
    }

    /** A part of the budget. */
    private static final class BudgetShare {

        final long capacity;
        final long graceNanos;
        final Set<Hold> waiting = new LinkedHashSet<>();
        long held;

        BudgetShare(long capacity, long graceNanos) {
            this.capacity = capacity;
            this.graceNanos = graceNanos;
        }

        /** The oldest that nobody works on yet, if it is old enough; the one that asks is never meant. */
        @Nullable
        Hold oldest(Hold but, long now) {
            for (Hold hold : waiting) {
                if (hold != but) {
                    return now - hold.begun > graceNanos ? hold : null;
                }
            }
            return null;
        }
    }

    /** What one body holds, from its first byte until its answer has been written. */
    public final class Hold {

        private final Runnable refuse;
        private final long begun = System.nanoTime();
        private @Nullable BudgetShare share;
        private long text;
        private long held;
        private boolean ended;

        private Hold(Runnable refuse) {
            this.refuse = refuse;
        }

        /** So many bytes of the body more; false when there is no room for them, or this hold has given way. */
        public boolean grow(long bytes) {
            synchronized (MemoryBudget.this) {
                if (ended) {
                    return false;
                }
                text += bytes;
                BudgetShare wanted = text <= SMALL_BYTES ? small : large;
                long needed = text * FACTOR;
                if (!makeRoom(wanted, wanted == share ? needed - held : needed)) {
                    abuse.add(AbuseCause.NO_MEMORY);
                    return false;
                }
                if (wanted != share) {
                    leave();
                    share = wanted;
                    wanted.waiting.add(this);
                }
                wanted.held += needed - held;
                held = needed;
                return true;
            }
        }

        private boolean makeRoom(BudgetShare wanted, long more) {
            while (wanted.held + more > wanted.capacity) {
                Hold oldest = wanted.oldest(this, System.nanoTime());
                if (oldest == null) {
                    return false;
                }
                abuse.add(AbuseCause.NO_MEMORY);
                oldest.release();
                oldest.refuse.run();
            }
            return true;
        }

        /** Work begins that cannot be given up; false when this hold has given way before. */
        public boolean work() {
            synchronized (MemoryBudget.this) {
                if (share != null) {
                    share.waiting.remove(this);
                }
                return !ended;
            }
        }

        /** The answer is made: only its bytes are held from now on. */
        public void answered(long bytes) {
            synchronized (MemoryBudget.this) {
                if (share != null && bytes < held) {
                    share.held -= held - bytes;
                    held = bytes;
                }
            }
        }

        /** Everything is given back; a second call does nothing. */
        public void release() {
            synchronized (MemoryBudget.this) {
                ended = true;
                leave();
            }
        }

        private void leave() {
            if (share != null) {
                share.held -= held;
                share.waiting.remove(this);
                share = null;
                held = 0;
            }
        }
    }
}
