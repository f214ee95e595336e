package dev.sluice.cluster.quantity;

/** Estimates the memory of strings in bytes. */
public final class Weigher {

    private static final long OBJECT_OVERHEAD = 64;

    private Weigher() {}

    public static long of(String... texts) {
        long weight = 0;
        for (String text : texts) {
            weight += OBJECT_OVERHEAD + text.length();
        }
        return weight;
    }
}
