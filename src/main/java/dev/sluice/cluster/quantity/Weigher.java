package dev.sluice.cluster.quantity;

/** Estimates how many bytes of memory strings take. */
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
