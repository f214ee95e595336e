package dev.sluice.json;

import java.io.IOException;
import java.io.Reader;

/**
 * Shortens the strings, names and numbers of a JSON text while it is read, so that a parser never holds more than
 * {@link #LONGEST_STRING} characters of one value.
 *
 * <p>A pod can contain a string of several megabytes in a field that is not read, and {@code managedFields} repeats
 * names from the pod as keys. Such pods must not make a list or a watch fail. Invalid JSON stays invalid, and the
 * parser rejects it.
 */
public final class ShortenedJson extends Reader {

    /**
     * The maximum length of a string in characters. In the fields that Sluice reads, the longest valid string is an
     * annotation of 256 KiB. A string is cut after one more character, so a cut string is still too long to be valid.
     */
    public static final int LONGEST_STRING = 256 * 1024 + 1;

    /**
     * The maximum length of a number in characters. It is twice the number of digits that the parsers allow, so the
     * parsers still reject a shortened number.
     */
    private static final int LONGEST_WORD = 2_000;

    /**
     * The value of {@link #escape} directly after a backslash, when the length of the escape sequence is not known yet.
     */
    private static final int ESCAPE = 5;

    private static final int HEX_DIGITS = 4;

    private final Reader source;
    private boolean inString;
    /**
     * The number of characters that are still to come in the current escape sequence; {@link #ESCAPE} directly after
     * its backslash; 0 outside of escape sequences.
     */
    private int escape;
    /** The number of characters that have been read of the current string or number. */
    private int length;

    public ShortenedJson(Reader source) {
        this.source = source;
    }

    @Override
    public int read(char[] target, int offset, int count) throws IOException {
        while (true) {
            int read = source.read(target, offset, count);
            int kept = read <= 0 ? read : shortened(target, offset, offset + read) - offset;
            if (kept != 0 || count == 0) {
                return kept;
            }
        }
    }

    /**
     * Removes the characters between {@code from} and {@code end} that exceed the maximum length of their string or
     * number. Returns the new end.
     */
    private int shortened(char[] text, int from, int end) {
        int kept = from;
        int at = from;
        while (at < end) {
            int stop = inString ? endOfLetters(text, at, end) : endOfWord(text, at, end);
            int room = Math.max(0, (inString ? LONGEST_STRING : LONGEST_WORD) - length);
            int letters = Math.min(stop - at, room);
            kept = moved(text, at, letters, kept);
            length += stop - at;
            at = stop;
            if (at < end) {
                int next = inString || text[at] == '"' ? pass(text, at) : endOfGap(text, at, end);
                kept = moved(text, at, next - at, kept);
                at = next;
            }
        }
        return kept;
    }

    private static int moved(char[] text, int from, int count, int to) {
        if (from != to) {
            System.arraycopy(text, from, text, to, count);
        }
        return to + count;
    }

    /** Returns the position of the next character that ends a string, begins an escape or is illegal in a string. */
    private int endOfLetters(char[] text, int from, int end) {
        int at = from;
        while (escape == 0 && at < end && text[at] != '"' && text[at] != '\\' && text[at] >= ' ') {
            at++;
        }
        return at;
    }

    private static int endOfWord(char[] text, int from, int end) {
        int at = from;
        while (at < end && isOfWord(text[at])) {
            at++;
        }
        return at;
    }

    /**
     * Returns the position of the next string, number or word. The characters before it, such as blanks and commas, are
     * kept.
     */
    private int endOfGap(char[] text, int from, int end) {
        int at = from;
        while (at < end && (text[at] <= ' ' || (text[at] != '"' && !isOfWord(text[at])))) {
            at++;
        }
        length = 0;
        return at;
    }

    private static boolean isOfWord(char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '.' || c == '-' || c == '+' || c == 'E';
    }

    /**
     * Handles one character that is always kept, such as a quotation mark or a character of an escape sequence. Returns
     * the position after it.
     */
    private int pass(char[] text, int at) {
        pass(text[at]);
        return at + 1;
    }

    private void pass(char c) {
        if (!inString) {
            length = 0;
            inString = true;
        } else if (escape == ESCAPE) {
            escape = c == 'u' ? HEX_DIGITS : 0;
            length++;
        } else if (escape > 0) {
            escape--;
        } else if (c == '"') {
            inString = false;
            length = 0;
        } else {
            escape = c == '\\' ? ESCAPE : 0;
        }
    }

    @Override
    public void close() throws IOException {
        source.close();
    }
}
