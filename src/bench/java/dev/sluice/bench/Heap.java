package dev.sluice.bench;

/** How much of the heap is in use by what is still reachable. */
final class Heap {

    private Heap() {}

    static long used() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
