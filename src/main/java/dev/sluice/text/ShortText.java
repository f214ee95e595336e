package dev.sluice.text;

/** Cuts long text, and never between the halves of a character beyond U+FFFF. */
public final class ShortText {

    private static final String CUT = "...";

    private ShortText() {}

    /** The text, or its beginning and three dots, together of at most {@code longest} characters. */
    public static String of(String text, int longest) {
        return text.length() <= longest ? text : start(text, longest - CUT.length()) + CUT;
    }

    /** The text, or its first {@code most} characters and an ellipsis, as messages about the configuration quote it. */
    public static String quoted(String text, int most) {
        return text.length() <= most ? text : start(text, most) + "…";
    }

    /** Both ends of the text with three dots between them, together of at most {@code longest} characters. */
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

    /** True of a text that was too long. The cut may be one character shorter, to keep a pair of surrogates whole. */
    public static boolean isCut(String text, int longest) {
        return text.length() >= longest - 1 && text.endsWith(CUT);
    }

    private static String start(String text, int length) {
        return text.substring(0, Character.isHighSurrogate(text.charAt(length - 1)) ? length - 1 : length);
    }
}
