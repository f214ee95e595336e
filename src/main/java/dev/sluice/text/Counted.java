package dev.sluice.text;

import java.util.Locale;

/** Numbers in sentences. */
public final class Counted {

    private Counted() {}

    /** With commas between thousands. */
    public static String number(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /** For example {@code 1 node} and {@code 2,000 nodes}. */
    public static String of(long number, String noun) {
        return number(number) + " " + noun(number, noun);
    }

    /** For example {@code 1 pod fits} and {@code 2 pods fit}. */
    public static String of(long number, String one, String many) {
        return number(number) + " " + (number == 1 ? one : many);
    }

    /** The noun for one, or with an s for any other number. */
    public static String noun(long number, String one) {
        return number == 1 ? one : one + "s";
    }
}
