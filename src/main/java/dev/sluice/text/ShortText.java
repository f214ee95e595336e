package dev.sluice.text;

/** Shortens long text without separating the two halves of a surrogate pair. */
public final class ShortText {

    private static final String CUT = "...";

    private ShortText() {}

    /**
     * Returns the text. If it is too long, returns its beginning and three dots. The result has at most {@code longest}
     * characters.
     */
    public static String of(String text, int longest) {
        return text.length() <= longest ? text : start(text, longest - CUT.length()) + CUT;
    }

    /**
     * Returns the text. If it is too long, returns its first {@code most} characters and an ellipsis. Messages about
     * the configuration quote values in this form.
     */
    public static String quoted(String text, int most) {
        return text.length() <= most ? text : start(text, most) + "…";
    }

    /**
     * Returns the text. If it is too long, returns its beginning and its end with three dots between them. The result
     * has at most {@code longest} characters.
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
     * Returns true if the text was too long and has been shortened to {@code longest} characters. The shortened text
     * may have one character less, so that no surrogate pair is separated.
     */
    public static boolean isCut(String text, int longest) {
        return text.length() >= longest - 1 && text.endsWith(CUT);
    }

    private static String start(String text, int length) {
        return text.substring(0, Character.isHighSurrogate(text.charAt(length - 1)) ? length - 1 : length);
    }
}
