package dev.sluice.text;

/** Estimates how many bytes of memory strings take. */
public final class TextWeight {

    private static final long OBJECT_OVERHEAD = 64;

    private TextWeight() {}

    public static long of(String... texts) {
        long weight = 0;
        for (String text : texts) {
            weight += OBJECT_OVERHEAD + text.length();
        }
        return weight;
    }
}
