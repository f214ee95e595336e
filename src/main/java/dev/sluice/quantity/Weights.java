package dev.sluice.quantity;

/** About how many bytes texts take, each with the objects around it. */
public final class Weights {

    private static final long OBJECTS = 64;

    private Weights() {}

    public static long of(String... texts) {
        long weight = 0;
        for (String text : texts) {
            weight += OBJECTS + text.length();
        }
        return weight;
    }
}
