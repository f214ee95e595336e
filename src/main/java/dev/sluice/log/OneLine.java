package dev.sluice.log;

/**
 * Escapes text that others may have written: quotes, backslashes and all characters that could steer a terminal or end
 * a line are escaped as in JSON, and long text is cut.
 */
final class OneLine {

    private OneLine() {}

    static void append(String text, int longest, StringBuilder line) {
        line.append(isPlain(text, longest) ? text : escaped(text, longest));
    }

    private static boolean isPlain(String text, int longest) {
        if (text.length() > longest) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' || c > '~' || c == '"' || c == '\\') {
                return false;
            }
        }
        return true;
    }

    private static String escaped(String text, int longest) {
        StringBuilder line = new StringBuilder(Math.min(text.length(), longest) + 16);
        int at = 0;
        while (at < text.length() && line.length() < longest) {
            int c = text.codePointAt(at);
            at += Character.charCount(c);
            if (c == '"' || c == '\\') {
                line.append('\\').append((char) c);
            } else if (isHarmless(c)) {
                line.appendCodePoint(c);
            } else {
                escape(c, line);
            }
        }
        return at < text.length() ? line.append("...").toString() : line.toString();
    }

    /** False for controls, formats (such as bidi), separators, surrogates and unknown characters. */
    private static boolean isHarmless(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            case Character.SPACE_SEPARATOR -> c == ' ';
            default -> true;
        };
    }

    private static void escape(int c, StringBuilder line) {
        for (char unit : Character.toChars(c)) {
            line.append("\\u");
            String hex = Integer.toHexString(unit);
            line.append("0".repeat(4 - hex.length())).append(hex);
        }
    }
}
