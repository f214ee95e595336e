package dev.sluice.webhook.intake;

import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The maximum memory for all request bodies of the process and for the objects that are created from them. A part of
 * the memory is reserved for small bodies, so large bodies cannot use it. It is thread-safe.
 */
public final class MemoryBudget {

    /** The largest small body in bytes. It has fifty times the size of an ordinary review. */
    public static final int SMALL_BYTES = 256 * 1024;

    /**
     * The maximum memory for one byte of a body, in bytes. One byte is for the byte itself, and one for its copy in the
     * joined body or for the unused rest of a piece. Three bytes are for the decoded objects in the worst case
     * ({@code ReviewDecoder.WORST_EXPANSION}, measured by ReviewMemoryTest).
     */
    public static final int FACTOR = 5;

    /**
     * The part of the heap that all bodies may take. The ledger of a large cluster takes 50 MiB, and the garbage
     * collector needs the rest.
     */
    private static final double PART_OF_HEAP = 0.5;

    /** The part of the budget that only small bodies may use. With the launcher's budget of 96 MiB, it is 16 MiB. */
    private static final double SMALL_PART = 1 / 6.0;

    /**
     * The time in nanoseconds after which a large body may be refused because another body needs its memory. A body of
     * a well-behaved client is complete by then.
     */
    private static final long LARGE_GRACE_NANOS = 1_000_000_000L;

    private final BudgetShare small;
    private final BudgetShare large;
    private final ClientAbuseCounter abuse;

    private MemoryBudget(long smallBytes, long largeBytes, ClientAbuseCounter abuse) {
        this.small = new BudgetShare(smallBytes, 0);
        this.large = new BudgetShare(largeBytes, LARGE_GRACE_NANOS);
        this.abuse = abuse;
    }

    /** Returns a budget of half the heap. It is larger if a body of {@code mostBytes} would not fit otherwise. */
    public static MemoryBudget of(long heapBytes, long mostBytes, ClientAbuseCounter abuse) {
        double all = heapBytes * PART_OF_HEAP;
        long smallBytes = (long) (all * SMALL_PART);
        return new MemoryBudget(smallBytes, Math.max((long) all - smallBytes, mostBytes * FACTOR), abuse);
    }

    public synchronized long heldBytes() {
        return small.held + large.held;
    }

    /**
     * Begins a hold, which counts the memory of one body.
     *
     * @param refuse the action that refuses the body if the memory is needed for another body; any thread may call it
     */
    public Hold begin(Runnable refuse) {
        return new Hold(refuse);
    }

    private static final class BudgetShare {

        final long capacity;
        final long graceNanos;
        final Set<Hold> waiting = new LinkedHashSet<>();
        long held;

        BudgetShare(long capacity, long graceNanos) {
            this.capacity = capacity;
            this.graceNanos = graceNanos;
        }

        /**
         * Returns the oldest waiting hold, without {@code but}. Returns null if there is none, or if this hold is
         * younger than the grace period.
         */
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

    /** The memory of one body, from its first byte until its answer has been written. */
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

        /**
         * Takes memory for more bytes of the body. Returns false if there is no memory left, or if the memory of this
         * hold was already released for another body.
         */
        public boolean grow(long bytes) {
            synchronized (MemoryBudget.this) {
                if (ended) {
                    return false;
                }
                text += bytes;
                BudgetShare wanted = text <= SMALL_BYTES ? small : large;
                long needed = text * FACTOR;
                if (!makeRoom(wanted, wanted == share ? needed - held : needed)) {
                    abuse.add(ClientAbuseCause.NO_MEMORY);
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
                abuse.add(ClientAbuseCause.NO_MEMORY);
                oldest.release();
                oldest.refuse.run();
            }
            return true;
        }

        /**
         * Marks the beginning of a decision, which cannot be interrupted. Returns false if the memory of this hold was
         * already released for another body.
         */
        boolean beginWork() {
            synchronized (MemoryBudget.this) {
                if (share != null) {
                    share.waiting.remove(this);
                }
                return !ended;
            }
        }

        /** Releases the memory of the body, and keeps only the memory of the answer. */
        void answered(long bytes) {
            synchronized (MemoryBudget.this) {
                if (share != null && bytes < held) {
                    share.held -= held - bytes;
                    held = bytes;
                }
            }
        }

        /** Releases all memory of this hold. A second call does nothing. */
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
