package dev.sluice.text;

/**
 * Makes text of others safe for a line of output: a warning, a log line, an Event, a terminal, a page. Names, labels,
 * messages of Events, files and answers of servers are text of others. Nothing in the safe text can end the line, steer
 * a terminal, change the direction of reading, or be there without being seen.
 */
public final class SafeText {

    private SafeText() {}

    /**
     * The text on one line. Tabs and line breaks become blanks, because messages have them for good reasons. Every
     * other unsafe character is escaped as in JSON, for example as {@code \u001b}.
     */
    public static String line(String text) {
        int unsafe = firstToCheck(text);
        if (unsafe == text.length()) {
            return text;
        }
        StringBuilder line = new StringBuilder(text.length() + 16).append(text, 0, unsafe);
        for (int at = unsafe; at < text.length(); ) {
            int c = text.codePointAt(at);
            at += Character.charCount(c);
            if (isBreak(c)) {
                line.append(' ');
            } else {
                append(c, line);
            }
        }
        return line.toString();
    }

    /** Where the first character stands that is no printable ASCII; the length if there is none, as with most texts. */
    private static int firstToCheck(String text) {
        int at = 0;
        // One comparison checks both bounds: below the blank, the difference wraps around and is large.
        while (at < text.length() && (char) (text.charAt(at) - ' ') <= '~' - ' ') {
            at++;
        }
        return at;
    }

    /** Appends the character as it is if it is safe, or else escaped. */
    public static void append(int codePoint, StringBuilder line) {
        if (isSafe(codePoint)) {
            line.appendCodePoint(codePoint);
        } else {
            for (char unit : Character.toChars(codePoint)) {
                String hex = Integer.toHexString(unit);
                line.append("\\u").repeat('0', 4 - hex.length()).append(hex);
            }
        }
    }

    /** True if the text is the same on a line of output as it is. */
    public static boolean isSafe(String text) {
        return text.codePoints().allMatch(SafeText::isSafe);
    }

    /**
     * False for control characters, line separators, marks of direction and all else that is not seen, half a surrogate
     * pair, and characters of which the JDK does not know what they do.
     */
    public static boolean isSafe(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED -> false;
            case Character.NON_SPACING_MARK, Character.OTHER_LETTER -> !isIgnorable(codePoint);
            default -> true;
        };
    }

    /** Marks and letters that are not seen: fillers, joiners and selectors (Unicode, Default_Ignorable_Code_Point). */
    private static boolean isIgnorable(int c) {
        return c == 0x034f
                || c == 0x115f
                || c == 0x1160
                || c == 0x17b4
                || c == 0x17b5
                || c == 0x3164
                || c == 0xffa0
                || (c >= 0x180b && c <= 0x180f)
                || (c >= 0xfe00 && c <= 0xfe0f)
                || (c >= 0xe0100 && c <= 0xe01ef);
    }

    /** A tab, or what ends a line anywhere. */
    private static boolean isBreak(int c) {
        return (c >= '\t' && c <= '\r') || c == 0x85 || c == 0x2028 || c == 0x2029;
    }
}
