package dev.sluice.text;

/** Shortens long text without separating the two halves of a surrogate pair. */
public final class ShortText {

    private static final String CUT = "...";

    private ShortText() {}

    /**
     * Returns the text if it has at most {@code longest} characters. Otherwise returns its beginning with three dots,
     * {@code longest} characters in total.
     */
    public static String of(String text, int longest) {
        return text.length() <= longest ? text : start(text, longest - CUT.length()) + CUT;
    }

    /**
     * Returns the text if it has at most {@code most} characters. Otherwise returns its first {@code most} characters
     * with an ellipsis. Messages about the configuration quote values in this form.
     */
    public static String quoted(String text, int most) {
        return text.length() <= most ? text : start(text, most) + "…";
    }

    /**
     * Returns the text if it has at most {@code longest} characters. Otherwise returns its beginning and its end with
     * three dots between them, {@code longest} characters in total.
     */
    public static String ofMiddle(String text, int longest) {
        if (text.length() <= longest) {
            return text;
        }
        int kept = longest - CUT.length();
        int end = text.length() - kept / 2;
        return start(text, kept - kept / 2)
                + CUT
                + text.substring(Character.isLowSurrogate(text.charAt(end)) ? end + 1 : end);
    }

    /**
     * Returns true if {@link #of} has probably shortened the text to {@code longest} characters: it ends in three dots
     * and has about that length.
     */
    public static boolean isCut(String text, int longest) {
        return text.length() >= longest - 1 && text.endsWith(CUT);
    }

    private static String start(String text, int length) {
        return text.substring(0, Character.isHighSurrogate(text.charAt(length - 1)) ? length - 1 : length);
    }
}
