package dev.sluice.cluster;

/** About how many bytes texts take, each with the objects around it. */
final class Weights {

    private static final long OBJECTS = 64;

    private Weights() {}

    static long of(String... texts) {
        long weight = 0;
        for (String text : texts) {
            weight += OBJECTS + text.length();
        }
        return weight;
    }
}
