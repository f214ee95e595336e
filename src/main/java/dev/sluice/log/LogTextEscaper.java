package dev.sluice.log;

import dev.sluice.text.SafeText;

/**
 * Escapes untrusted text so that it can be written between quotes. Quotes, backslashes and all characters that
 * {@link SafeText} calls unsafe are escaped as in JSON, and long text is cut.
 */
final class LogTextEscaper {

    private LogTextEscaper() {}

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
            } else {
                SafeText.append(c, line);
            }
        }
        return at < text.length() ? line.append("...").toString() : line.toString();
    }
}
