package dev.sluice.fuzz;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;

/** Runs a reader and fails when it takes more memory than its input justifies. */
public final class Frugal {

    /** What is tried. */
    public interface Try {
        void run() throws IOException;
    }

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** Buffers, and what a target makes beside what it tries. */
    private static final long AT_LEAST = 4L << 20;

    /**
     * For each byte of the input, over all passes that a target makes. The widest seen are pods of one-letter names,
     * which take 400 bytes each in every tree and map.
     */
    private static final long PER_BYTE = 10_000;

    private Frugal() {}

    /**
     * Fails too with what the reader throws, which is never what a reader of foreign bytes may do. What is too much is
     * tried again, because classes that are loaded at the first input are not the reader's.
     */
    public static void run(int inputBytes, Try attempt) {
        long most = AT_LEAST + PER_BYTE * inputBytes;
        if (taken(attempt) > most) {
            long taken = taken(attempt);
            if (taken > most) {
                throw new AssertionError(inputBytes + " bytes made the reader take " + taken);
            }
        }
    }

    private static long taken(Try attempt) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        try {
            attempt.run();
        } catch (IOException undeclared) {
            throw new AssertionError("a reader failed otherwise than it says", undeclared);
        } catch (StackOverflowError deep) {
            throw new AssertionError("a reader went as deep as its input", deep);
        }
        return THREADS.getCurrentThreadAllocatedBytes() - before;
    }
}
