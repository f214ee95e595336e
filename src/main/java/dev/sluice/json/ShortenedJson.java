package dev.sluice.json;

import java.io.IOException;
import java.io.Reader;

/**
 * A JSON text in which no string, name or number is longer than anybody could read: the rest of a longer one is left
 * out, so that a parser behind it never holds more than {@link #LONGEST_STRING} characters at a time, however large the
 * text is.
 *
 * <p>A pod can hold a string of megabytes where nobody looks, and {@code managedFields} repeats names of the pod as
 * keys, so neither may end a list or a watch. What is illegal in JSON stays in the text, for the parser to refuse.
 */
public final class ShortenedJson extends Reader {

    /**
     * One more than the bytes that all annotations of an object may have together, which is the largest limit that the
     * API server sets to anything that is read here. So a string that was shortened is still longer than any legal one.
     */
    public static final int LONGEST_STRING = 256 * 1024 + 1;

    /** Twice the digits that the parsers allow, so that a number that was shortened is still refused. */
    private static final int LONGEST_WORD = 2_000;

    /** After the backslash, of which the next character says how long the escape is. */
    private static final int ESCAPE = 5;

    /** Of an escape by number. */
    private static final int HEX_DIGITS = 4;

    private final Reader source;
    private boolean inString;
    /** How many characters of an escape are still to come, or {@link #ESCAPE} where it is not known yet. */
    private int escape;
    /** Of the string or the word that is read now. */
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

    /** Moves together what is kept between {@code from} and {@code end}; returns where that ends. */
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
                pass(text[at]);
                text[kept] = text[at];
                kept++;
                at++;
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

    /** Up to the next character that means something in a string, or is illegal there. */
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

    private static boolean isOfWord(char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '.' || c == '-' || c == '+' || c == 'E';
    }

    /** A character that is kept in any case. Escapes are: they are twice as long in the text as in what they become. */
    private void pass(char c) {
        if (!inString) {
            length = 0;
            inString = c == '"';
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
