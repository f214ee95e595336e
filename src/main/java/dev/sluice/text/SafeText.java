package dev.sluice.text;

/**
 * Makes untrusted text safe for a line of output: a warning, a log line, an Event, a terminal or a web page. Names,
 * labels, messages of Events, files and answers of servers are untrusted. Safe text cannot end the line, control a
 * terminal, change the direction of reading, or contain invisible characters.
 */
public final class SafeText {

    private SafeText() {}

    /**
     * Returns the text on one line. Tabs and line breaks, which are usual in messages, become blanks. All other unsafe
     * characters are escaped as in JSON, for example as {@code \u001b}.
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

    /**
     * Returns the position of the first character that is not printable ASCII. Returns the length of the text if there
     * is no such character, which is the usual case.
     */
    private static int firstToCheck(String text) {
        int at = 0;
        // The comparison also finds characters below the blank. Their difference is negative, and the cast to char
        // turns it into a large number.
        while (at < text.length() && (char) (text.charAt(at) - ' ') <= '~' - ' ') {
            at++;
        }
        return at;
    }

    /** Appends the character unchanged if it is safe, or escaped if it is not. */
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

    /** Returns true if all characters of the text are safe. */
    public static boolean isSafe(String text) {
        return text.codePoints().allMatch(SafeText::isSafe);
    }

    /**
     * Returns false for unsafe characters: control characters, line separators, bidirectional marks and other invisible
     * characters, single surrogates, private-use characters, and characters that the JDK does not know.
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

    /**
     * Returns true for invisible letters and marks, such as fillers and variation selectors (Unicode,
     * Default_Ignorable_Code_Point).
     */
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

    /** Returns true for a tab and for all characters that end a line on any system. */
    private static boolean isBreak(int c) {
        return (c >= '\t' && c <= '\r') || c == 0x85 || c == 0x2028 || c == 0x2029;
    }
}
