package dev.sluice.webhook.intake;

import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The memory that all bodies of the process, and the objects made from them, may take. Small bodies have a share of
 * their own that large bodies cannot take. It is thread-safe.
 */
public final class MemoryBudget {

    /** The largest body in bytes that takes from the share of small bodies. It is fifty times an ordinary review. */
    public static final int SMALL_BYTES = 256 * 1024;

    /**
     * The maximum number of bytes of memory for one byte of a body: the byte itself, its copy in the joined body or the
     * unused rest of a piece, and three bytes of objects in the worst case ({@code ReviewDecoder.WORST_EXPANSION}).
     * ReviewMemoryTest measures each shape of pods.
     */
    public static final int FACTOR = 5;

    /** The part of the heap for all bodies. The ledger of a large cluster takes 50 MiB, and garbage needs the rest. */
    private static final double PART_OF_HEAP = 0.5;

    /** The part of the budget for small bodies. With the launcher's budget of 96 MiB they get 16 MiB. */
    private static final double SMALL_PART = 1 / 6.0;

    /**
     * The time in nanoseconds after which a large body may be refused for another body. A good body is complete by
     * then.
     */
    private static final long LARGE_GRACE_NANOS = 1_000_000_000L;

    private final BudgetShare small;
    private final BudgetShare large;
    private final AbuseCounter abuse;

    private MemoryBudget(long smallBytes, long largeBytes, AbuseCounter abuse) {
        this.small = new BudgetShare(smallBytes, 0);
        this.large = new BudgetShare(largeBytes, LARGE_GRACE_NANOS);
        this.abuse = abuse;
    }

    /** Returns a budget of half the heap, or of more if a body of {@code mostBytes} would not fit. */
    public static MemoryBudget of(long heapBytes, long mostBytes, AbuseCounter abuse) {
        double all = heapBytes * PART_OF_HEAP;
        long smallBytes = (long) (all * SMALL_PART);
        return new MemoryBudget(smallBytes, Math.max((long) all - smallBytes, mostBytes * FACTOR), abuse);
    }

    public synchronized long heldBytes() {
        return small.held + large.held;
    }

    /** Begins a hold for a body. {@code refuse} is called, on any thread, if the memory is needed for another body. */
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
         * Returns the oldest hold other than {@code but} that is not being worked on, or null if that hold is within
         * its grace.
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
         * Takes memory for more bytes of the body. Returns false if there is none, or if this hold was released for
         * another body.
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

        /**
         * Marks the beginning of work that cannot be given up. Returns false if this hold was released for another
         * body.
         */
        boolean beginWork() {
            synchronized (MemoryBudget.this) {
                if (share != null) {
                    share.waiting.remove(this);
                }
                return !ended;
            }
        }

        /** Keeps only the memory of the answer, and gives back the rest. */
        void answered(long bytes) {
            synchronized (MemoryBudget.this) {
                if (share != null && bytes < held) {
                    share.held -= held - bytes;
                    held = bytes;
                }
            }
        }

        /** Gives all memory back. A second call does nothing. */
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
