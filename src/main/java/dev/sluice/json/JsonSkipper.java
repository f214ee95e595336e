package dev.sluice.json;

/**
 * Finds the end of an object or a list in a JSON text, without creating objects for its content.
 *
 * <p>It accepts only JSON that is certainly valid. For invalid JSON, and for rare syntax (line breaks, fractions,
 * surrogates written as escapes), it returns {@link #UNSURE}. Jackson then reads the same text and reports any error.
 */
final class JsonSkipper {

    static final int UNSURE = -1;

    /**
     * The maximum nesting depth that this class skips. Each level is a recursive call, so deeper nesting could overflow
     * the stack.
     */
    private static final int MOST_LEVELS = 64;

    private static final int MOST_NUMBER_CHARS = 100;

    private final char[] text;
    private final int end;

    JsonSkipper(char[] text, int end) {
        this.text = text;
        this.end = end;
    }

    /**
     * Returns the position after an object.
     *
     * @param at the position after the opening brace of the object
     * @param levels the number of levels to which objects and lists may be nested in the object
     */
    int afterObject(int at, int levels) {
        return object(at, Math.min(levels, MOST_LEVELS));
    }

    int afterArray(int at, int levels) {
        return array(at, Math.min(levels, MOST_LEVELS));
    }

    /**
     * Returns the character at a position, or NUL after the end of the text. NUL is never valid JSON, so callers need
     * not check for the end.
     */
    private char charAt(int at) {
        return at < end ? text[at] : 0;
    }

    private int object(int from, int levels) {
        return elements(from, '}', levels);
    }

    private int array(int from, int levels) {
        return elements(from, ']', levels);
    }

    /**
     * Returns the position after an object or a list.
     *
     * @param from the position after the opening bracket
     * @param last the closing bracket
     */
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

    /** Returns the position after blanks. Line breaks are not skipped, because Jackson has to count lines. */
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

    /** Returns the position after an integer. Fractions and exponents are rare in pods, so they are left to Jackson. */
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
