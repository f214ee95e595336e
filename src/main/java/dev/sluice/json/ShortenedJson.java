package dev.sluice.json;

import java.io.IOException;
import java.io.Reader;

/**
 * Shortens the strings, names and numbers of a JSON text, so that a parser never holds more than
 * {@link #LONGEST_STRING} characters of one.
 *
 * <p>A pod can have a string of megabytes in a field that is not read, and {@code managedFields} repeats names of the
 * pod as keys: neither may end a list or a watch. Invalid JSON stays in the text, for the parser to refuse.
 */
public final class ShortenedJson extends Reader {

    /**
     * One more than the total size of an object's annotations, which is the largest limit of the API server for
     * anything that is read here. So a shortened string is still longer than any legal one.
     */
    public static final int LONGEST_STRING = 256 * 1024 + 1;

    /** Twice the digits that the parsers allow, so that a shortened number is still refused. */
    private static final int LONGEST_WORD = 2_000;

    /** The state after a backslash: the next character says how long the escape is. */
    private static final int ESCAPE = 5;

    private static final int HEX_DIGITS = 4;

    private final Reader source;
    private boolean inString;
    /** The remaining characters of an escape, or {@link #ESCAPE}. */
    private int escape;
    /** How many characters the current string or word has had so far. */
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

    /** Compacts the kept characters between {@code from} and {@code end}; returns their end. */
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

    /** The next character with a meaning in a string, or that is illegal there. */
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

    /** Blanks and brackets, of which an indented text has many, are kept as they are. */
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

    /** Handles a character that is always kept, as those of escapes are; gives the place after it. */
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
