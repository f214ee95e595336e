package dev.sluice.cli.console;

/** Text that others wrote, as a terminal may show it. */
public final class PlainText {

    private PlainText() {}

    /**
     * The text with a question mark for each character that could steer a terminal or turn the direction of reading.
     */
    public static String of(String text) {
        return text.replaceAll("[\\p{C}\\p{Zl}\\p{Zp}]", "?");
    }
}
