package dev.sluice.text;

import java.util.Locale;

/** Formats numbers in sentences. */
public final class Counted {

    private Counted() {}

    /** Returns the number with commas between thousands. */
    public static String number(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /** Returns the number with the noun, such as {@code 1 node} or {@code 2,000 nodes}. */
    public static String of(long number, String noun) {
        return number(number) + " " + noun(number, noun);
    }

    /** Returns the number with one of two texts, such as {@code 1 pod fits} or {@code 2 pods fit}. */
    public static String of(long number, String one, String many) {
        return number(number) + " " + (number == 1 ? one : many);
    }

    /** Returns the noun for one, or with an s for any other number. */
    public static String noun(long number, String one) {
        return number == 1 ? one : one + "s";
    }
}
