package dev.sluice.doctor.report;

import java.util.regex.Pattern;

/** Texts that others wrote, as a page may show them: bounded, and without what steers a terminal or a reader. */
final class SafeText {

    /** Explanations have 2,000 characters at most. */
    private static final int LONGEST = 2_000;

    private static final Pattern STEERING = Pattern.compile("[\\p{C}\\p{Zl}\\p{Zp}]");

    private SafeText() {}

    /** With a question mark for each control character, and for each that turns the direction of reading. */
    static String of(String text) {
        return STEERING.matcher(cut(text)).replaceAll("?");
    }

    private static String cut(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST - 1) + "…";
    }
}
