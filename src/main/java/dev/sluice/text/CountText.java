package dev.sluice.text;

import java.util.Locale;

/** Formats numbers in sentences. */
public final class CountText {

    private CountText() {}

    /** Returns the number with commas between thousands. */
    public static String number(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /** Returns the number and the noun, with an s unless the number is 1: {@code 1 node} or {@code 2,000 nodes}. */
    public static String of(long number, String noun) {
        return number(number) + " " + noun(number, noun);
    }

    /**
     * Returns the number and a text: {@code one} if the number is 1, and {@code many} otherwise. The result is, for
     * example, {@code 1 pod fits} or {@code 2 pods fit}.
     */
    public static String of(long number, String one, String many) {
        return number(number) + " " + (number == 1 ? one : many);
    }

    /** Returns the noun without the number. An s is added unless the number is 1. */
    public static String noun(long number, String one) {
        return number == 1 ? one : one + "s";
    }
}
