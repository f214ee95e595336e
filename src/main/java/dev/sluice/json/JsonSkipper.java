package dev.sluice.json;

/**
 * Finds where an object or a list ends in a JSON text, without making objects of its content.
 *
 * <p>It accepts only what is certainly valid. The result for anything invalid, and for anything rare (line breaks,
 * fractions, surrogates written as escapes), is {@link #UNSURE}: Jackson then judges and reports it.
 */
final class JsonSkipper {

    static final int UNSURE = -1;

    /** Each level is a recursive call. */
    private static final int MOST_LEVELS = 64;

    private static final int MOST_NUMBER_CHARS = 100;

    private final char[] text;
    private final int end;

    JsonSkipper(char[] text, int end) {
        this.text = text;
        this.end = end;
    }

    /** The position after the object whose first brace is before {@code at}. It may nest {@code levels} deeper. */
    int afterObject(int at, int levels) {
        return object(at, Math.min(levels, MOST_LEVELS));
    }

    int afterArray(int at, int levels) {
        return array(at, Math.min(levels, MOST_LEVELS));
    }

    /** NUL beyond the end, which is never valid. */
    private char charAt(int at) {
        return at < end ? text[at] : 0;
    }

    private int object(int from, int levels) {
        return elements(from, '}', levels);
    }

    private int array(int from, int levels) {
        return elements(from, ']', levels);
    }

    /** Members or values, up to the bracket that ends them. */
    private int elements(int from, char last, int levels) {
        int at = afterBlanks(from);
        if (charAt(at) == last) {
            return at + 1;
        }
        while (true) {
            int next = last == '}' ? member(at, levels) : value(at, levels);
            if (next == UNSURE) {
                return UNSURE;
            }
            at = afterBlanks(next);
            if (charAt(at) == last) {
                return at + 1;
            }
            if (charAt(at) != ',') {
                return UNSURE;
            }
            at = afterBlanks(at + 1);
        }
    }

    private int member(int at, int levels) {
        int name = charAt(at) == '"' ? afterString(at + 1) : UNSURE;
        if (name == UNSURE) {
            return UNSURE;
        }
        int colon = afterBlanks(name);
        return charAt(colon) == ':' ? value(afterBlanks(colon + 1), levels) : UNSURE;
    }

    private int value(int at, int levels) {
        return switch (charAt(at)) {
            case '"' -> afterString(at + 1);
            case '{' -> levels == 0 ? UNSURE : object(at + 1, levels - 1);
            case '[' -> levels == 0 ? UNSURE : array(at + 1, levels - 1);
            case 't' -> afterWord(at, "true");
            case 'f' -> afterWord(at, "false");
            case 'n' -> afterWord(at, "null");
            default -> afterNumber(at);
        };
    }

    /** Line breaks are left to Jackson, which counts lines. */
    private int afterBlanks(int from) {
        int at = from;
        while (charAt(at) == ' ' || charAt(at) == '\t') {
            at++;
        }
        return at;
    }

    private int afterString(int from) {
        int at = from;
        while (at < end) {
            char c = text[at];
            at++;
            if (c == '"') {
                return at;
            }
            if (c < ' ') {
                return UNSURE;
            }
            if (c == '\\') {
                at = afterEscape(at);
                if (at == UNSURE) {
                    return UNSURE;
                }
            }
        }
        return UNSURE;
    }

    private int afterEscape(int at) {
        return switch (charAt(at)) {
            case '"', '\\', '/', 'b', 'f', 'n', 'r', 't' -> at + 1;
            case 'u' -> afterHex(at + 1);
            default -> UNSURE;
        };
    }

    private int afterHex(int from) {
        int value = 0;
        for (int at = from; at < from + 4; at++) {
            char c = charAt(at);
            int digit = c < 0x80 ? Character.digit(c, 16) : UNSURE;
            if (digit < 0) {
                return UNSURE;
            }
            value = value << 4 | digit;
        }
        return Character.isSurrogate((char) value) ? UNSURE : from + 4;
    }

    private int afterWord(int from, String word) {
        for (int i = 0; i < word.length(); i++) {
            if (charAt(from + i) != word.charAt(i)) {
                return UNSURE;
            }
        }
        return from + word.length();
    }

    /** Integers; fractions and exponents, which pods do not have, are left to Jackson. */
    private int afterNumber(int from) {
        int first = charAt(from) == '-' ? from + 1 : from;
        int at = first;
        while (isDigit(charAt(at))) {
            at++;
        }
        boolean leadingZero = charAt(first) == '0' && at > first + 1;
        return at == first || leadingZero || at - from > MOST_NUMBER_CHARS || !endsValue(charAt(at)) ? UNSURE : at;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static boolean endsValue(char c) {
        return c == ',' || c == '}' || c == ']' || c == ' ' || c == '\t';
    }
}
