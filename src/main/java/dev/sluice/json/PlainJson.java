package dev.sluice.json;

import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The tokens of one object in UTF-8. Bytes become a string only when somebody asks for the text.
 *
 * <p>It accepts only what is certainly valid. Anything invalid, and anything rare (deep nesting, very long strings or
 * numbers), is {@link NotPlain}: another parser then judges and reports it.
 */
public final class PlainJson implements JsonTokens {

    /** This is no plain JSON, and may be none at all. */
    public static final class NotPlain extends IOException {
        private static final long serialVersionUID = 1;

        public NotPlain(String why) {
            super(why);
        }
    }

    /** One bit each. */
    private static final int MOST_LEVELS = 64;

    private static final int MOST_NUMBER_CHARS = 100;

    /** A long holds any number of so many. */
    private static final int SHORT_NUMBER = 18;

    private final FieldNames names;
    private final byte[] text;
    private final int start;
    private final int end;
    private int at;

    /** Which of the containers around {@link #at} are objects, the innermost in the lowest bit. */
    private long objects;

    private int depth;
    private @Nullable JsonToken token;

    /** Where the characters of the token are. */
    private int from;

    private int to;
    private boolean escaped;
    private boolean beyondAscii;
    private boolean knownAsUtf8;

    public PlainJson(byte[] text, int start, int end, FieldNames names) {
        this.text = text;
        this.start = start;
        this.end = end;
        this.names = names;
        at = start;
    }

    @Override
    public JsonToken current() {
        return Objects.requireNonNull(token);
    }

    /** Nothing follows the object. */
    public void end() throws NotPlain {
        for (int i = at; i < end; i++) {
            if (!isBlank(text[i])) {
                throw new NotPlain("something follows");
            }
        }
    }

    @Override
    public JsonToken next() throws NotPlain {
        JsonToken found = found();
        token = found;
        return found;
    }

    private JsonToken found() throws NotPlain {
        boolean first = token == JsonToken.START_OBJECT || token == JsonToken.START_ARRAY;
        byte c = letter();
        if (token == JsonToken.FIELD_NAME) {
            expect(c == ':', "a colon");
            return value(letter());
        }
        if (depth == 0) {
            expect(token == null, "the end");
            return value(c);
        }
        boolean inObject = (objects & 1) != 0;
        if (c == (inObject ? '}' : ']')) {
            depth--;
            objects >>>= 1;
            return inObject ? JsonToken.END_OBJECT : JsonToken.END_ARRAY;
        }
        if (!first) {
            expect(c == ',', "a comma");
            c = letter();
        }
        if (!inObject) {
            return value(c);
        }
        expect(c == '"', "a name");
        string();
        return JsonToken.FIELD_NAME;
    }

    private static void expect(boolean met, String what) throws NotPlain {
        if (!met) {
            throw new NotPlain(what + " is missing");
        }
    }

    /** The next one that is not blank. */
    private byte letter() throws NotPlain {
        int i = at;
        while (i < end) {
            byte c = text[i++];
            if (c > ' ') {
                at = i;
                return c;
            }
            expect(isBlank(c), "a token");
        }
        throw new NotPlain("the end came too early");
    }

    private static boolean isBlank(byte c) {
        return c == ' ' || c == '\n' || c == '\r' || c == '\t';
    }

    private JsonToken value(byte c) throws NotPlain {
        return switch (c) {
            case '"' -> {
                string();
                yield JsonToken.VALUE_STRING;
            }
            case '{' -> opened(JsonToken.START_OBJECT);
            case '[' -> opened(JsonToken.START_ARRAY);
            case 't' -> word("true", JsonToken.VALUE_TRUE);
            case 'f' -> word("false", JsonToken.VALUE_FALSE);
            case 'n' -> word("null", JsonToken.VALUE_NULL);
            default -> number();
        };
    }

    private JsonToken opened(JsonToken with) throws NotPlain {
        expect(depth < MOST_LEVELS, "an end to the nesting");
        depth++;
        objects = objects << 1 | (with == JsonToken.START_OBJECT ? 1 : 0);
        return with;
    }

    private JsonToken word(String word, JsonToken meant) throws NotPlain {
        expect(at - 1 + word.length() <= end, word);
        for (int i = 1; i < word.length(); i++) {
            expect(text[at] == word.charAt(i), word);
            at++;
        }
        return meant;
    }

    private void string() throws NotPlain {
        escaped = false;
        beyondAscii = false;
        from = at;
        int i = at;
        while (i < end) {
            byte c = text[i++];
            if (c == '"') {
                to = i - 1;
                at = i;
                expect(to - from < ShortenedJson.LONGEST_STRING, "the end of a string");
                return;
            }
            if (c == '\\') {
                i = afterEscape(i);
            } else if (c < ' ') {
                beyondAscii(c);
            }
        }
        throw new NotPlain("a string has no end");
    }

    private int afterEscape(int i) throws NotPlain {
        escaped = true;
        expect(i < end, "an escape");
        if (text[i] != 'u') {
            expect("\"\\/bfnrt".indexOf(text[i]) >= 0, "an escape");
            return i + 1;
        }
        int value = 0;
        for (int digit = i + 1; digit <= i + 4; digit++) {
            int hex = digit < end && text[digit] > 0 ? Character.digit(text[digit], 16) : -1;
            expect(hex >= 0, "an escape");
            value = value << 4 | hex;
        }
        // kubectl does not escape characters that would need two escapes.
        expect(!Character.isSurrogate((char) value), "a character in one escape");
        return i + 5;
    }

    private void beyondAscii(byte c) throws NotPlain {
        expect(c < 0, "a printable character");
        beyondAscii = true;
        if (!knownAsUtf8) {
            try {
                var _ = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(text, start, end - start));
            } catch (CharacterCodingException wrong) {
                throw new NotPlain("not UTF-8: " + wrong);
            }
            knownAsUtf8 = true;
        }
    }

    /** Exponents, which no quantity in objects of Kubernetes has as a number, are left to others. */
    private JsonToken number() throws NotPlain {
        from = at - 1;
        at = text[from] == '-' ? at : from;
        int whole = at;
        digits();
        expect(text[whole] != '0' || at == whole + 1, "a number without leading zeros");
        boolean fraction = at < end && text[at] == '.';
        if (fraction) {
            at++;
            digits();
        }
        to = at;
        expect(to - from <= MOST_NUMBER_CHARS, "the end of a number");
        return fraction ? JsonToken.VALUE_NUMBER_FLOAT : JsonToken.VALUE_NUMBER_INT;
    }

    private void digits() throws NotPlain {
        int first = at;
        while (at < end && text[at] >= '0' && text[at] <= '9') {
            at++;
        }
        expect(at > first, "a digit");
    }

    @Override
    @Nullable
    public String nextName() throws NotPlain {
        if (next() != JsonToken.FIELD_NAME) {
            return null;
        }
        return escaped || beyondAscii ? characters() : names.of(text, from, to);
    }

    @Override
    public void skip() throws NotPlain {
        if (token == JsonToken.START_OBJECT || token == JsonToken.START_ARRAY) {
            int around = depth - 1;
            while (depth > around) {
                var _ = next();
            }
        }
    }

    @Override
    public String text() {
        return switch (current()) {
            case VALUE_STRING, FIELD_NAME, VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> characters();
            default -> current().asString();
        };
    }

    private String characters() {
        boolean literal = current().isNumeric() || (!escaped && !beyondAscii);
        String raw = new String(text, from, to - from, literal ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_8);
        return literal || !escaped ? raw : unescaped(raw);
    }

    private static String unescaped(String raw) {
        StringBuilder plain = new StringBuilder(raw.length());
        for (int i = 0; i < raw.length(); i++) {
            char c = raw.charAt(i);
            if (c == '\\') {
                i++;
                char escape = raw.charAt(i);
                if (escape == 'u') {
                    plain.append((char) Integer.parseInt(raw, i + 1, i + 5, 16));
                    i += 4;
                } else {
                    int control = "bfnrt".indexOf(escape);
                    plain.append(control < 0 ? escape : "\b\f\n\r\t".charAt(control));
                }
            } else {
                plain.append(c);
            }
        }
        return plain.toString();
    }

    @Override
    public BigInteger integer() {
        String digits = text();
        return digits.length() <= SHORT_NUMBER ? BigInteger.valueOf(Long.parseLong(digits)) : new BigInteger(digits);
    }

    @Override
    public BigDecimal decimal() {
        return new BigDecimal(text());
    }
}
