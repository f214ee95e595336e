package dev.sluice.bench;

/** How much of the heap is in use by what is still reachable. */
final class Heap {

    /**
     * So often full collections of the serial collector move everything together ({@code MarkSweepAlwaysCompactCount});
     * the others leave dead objects of up to a twentieth of the heap where they are.
     */
    private static final int COLLECTIONS = 4;

    private Heap() {}

    static long used() {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
