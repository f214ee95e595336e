package dev.sluice.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.sluice.cluster.quantity.Quantity;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads one JSON value token by token. Each method starts at the first token of a value and ends at its last token.
 *
 * <p>A value of the wrong type is skipped and reported as {@link #problem()}. The parameter {@code what} names the
 * value in that problem. The value {@code null} counts as absent, as in the API server. No objects are created for
 * fields that are skipped.
 */
public final class JsonCursor {

    /** Reads the value of a field. The current token is the first token of the value. */
    public interface FieldReader {
        void read(String field) throws IOException;
    }

    public interface ValueReader {
        void read() throws IOException;
    }

    /**
     * The length in characters at which names are cut. It is twice the length of the longest valid name: a domain of
     * 253 characters, a slash and 63 more characters. A cut name is therefore not equal to any valid name.
     */
    public static final int LONGEST = 2 * 317;

    private final JsonParser parser;
    private @Nullable String problem;

    public JsonCursor(JsonParser parser) {
        this.parser = parser;
    }

    /** Returns another cursor for the same parser. The new cursor collects its problems separately. */
    public JsonCursor withOwnProblems() {
        return new JsonCursor(parser);
    }

    /** Returns the first problem that was found. Returns empty if all values were valid. */
    public Optional<String> problem() {
        return Optional.ofNullable(problem);
    }

    public void report(String found) {
        if (problem == null) {
            problem = found;
        }
    }

    public void skip() throws IOException {
        parser.skipChildren();
    }

    /**
     * Skips an object or a list, and returns its text so that it can be read later. Returns null and skips nothing if
     * the value is neither an object nor a list, or if the text is not in memory.
     */
    public @Nullable String skipForLater() throws IOException {
        return parser instanceof SkippingParser inMemory
                        && (parser.currentToken() == JsonToken.START_ARRAY
                                || parser.currentToken() == JsonToken.START_OBJECT)
                ? inMemory.skippedText()
                : null;
    }

    /** Returns true if the value is {@code null}. The caller then need not read or skip it. */
    public boolean isNull() {
        return parser.currentToken() == JsonToken.VALUE_NULL;
    }

    /** Passes every field of an object to the reader, in order. The reader must read or {@link #skip()} each value. */
    public void object(Object what, FieldReader reader) throws IOException {
        if (startsWith(JsonToken.START_OBJECT, what, "a map")) {
            eachField(reader);
        }
    }

    private void eachField(FieldReader reader) throws IOException {
        for (String field = parser.nextFieldName(); field != null; field = parser.nextFieldName()) {
            parser.nextToken();
            reader.read(field);
        }
    }

    /** Passes every element of a list to the reader, in order. The reader must read or {@link #skip()} each element. */
    public void array(Object what, ValueReader reader) throws IOException {
        if (startsWith(JsonToken.START_ARRAY, what, "a list")) {
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                reader.read();
            }
        }
    }

    private boolean startsWith(JsonToken wanted, Object what, String kind) throws IOException {
        JsonToken token = parser.currentToken();
        if (token == wanted) {
            return true;
        }
        if (token != JsonToken.VALUE_NULL) {
            report(what + " is not " + kind);
            parser.skipChildren();
        }
        return false;
    }

    /** Returns the string. Returns null if the value is absent or not a string. */
    public @Nullable String text(Object what) throws IOException {
        if (parser.currentToken() == JsonToken.VALUE_STRING) {
            return parser.getText();
        }
        if (!isNull()) {
            report(what + " is not a string");
            parser.skipChildren();
        }
        return null;
    }

    /** Returns the string. Returns an empty text if the value is absent or not a string. */
    public String textOrEmpty(Object what) throws IOException {
        String text = text(what);
        return text == null ? "" : text;
    }

    /**
     * Returns the string, cut at {@link #LONGEST} characters. Returns an empty text if the value is absent or not a
     * string.
     */
    public String name(Object what) throws IOException {
        if (parser.currentToken() != JsonToken.VALUE_STRING || parser.getTextLength() <= LONGEST) {
            return textOrEmpty(what);
        }
        return new String(parser.getTextCharacters(), parser.getTextOffset(), LONGEST);
    }

    /** Returns the number of characters of the current string. Returns 0 if the value is not a string. */
    public int letters() throws IOException {
        return parser.currentToken() == JsonToken.VALUE_STRING ? parser.getTextLength() : 0;
    }

    public boolean isText() {
        return parser.currentToken() == JsonToken.VALUE_STRING;
    }

    /** Returns the number of bytes of the current string in UTF-8, without creating the string. */
    public long textBytes() throws IOException {
        char[] chars = parser.getTextCharacters();
        long bytes = 0;
        for (int i = parser.getTextOffset(); i < parser.getTextOffset() + parser.getTextLength(); i++) {
            bytes += utf8Bytes(chars[i]);
        }
        return bytes;
    }

    /** Returns the number of bytes of a character in UTF-8. Each half of a surrogate pair counts as two bytes. */
    public static int utf8Bytes(char c) {
        return c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
    }

    /** Returns the number. Returns 0 if the value is absent or not an integer of 32 bits. */
    public int integer(Object what) throws IOException {
        if (parser.currentToken() == JsonToken.VALUE_NUMBER_INT
                && parser.getNumberType() == JsonParser.NumberType.INT) {
            return parser.getIntValue();
        }
        if (!isNull()) {
            report(what + " is not a number of 32 bits");
            parser.skipChildren();
        }
        return 0;
    }

    /** Returns the number; 0 if the value is absent or not an integer of 64 bits. */
    public long wholeNumber(Object what) throws IOException {
        if (parser.currentToken() == JsonToken.VALUE_NUMBER_INT
                && parser.getNumberType() != JsonParser.NumberType.BIG_INTEGER) {
            return parser.getLongValue();
        }
        if (!isNull()) {
            report(what + " is not a number of 64 bits");
            parser.skipChildren();
        }
        return 0;
    }

    public boolean truth(Object what) throws IOException {
        JsonToken token = parser.currentToken();
        if (token != JsonToken.VALUE_TRUE && token != JsonToken.VALUE_FALSE && token != JsonToken.VALUE_NULL) {
            report(what + " is not true or false");
            parser.skipChildren();
        }
        return token == JsonToken.VALUE_TRUE;
    }

    /**
     * Returns the quantity. Returns null if the value is invalid. Like the API server, this method reads {@code null}
     * as 0, and accepts blanks around a quantity.
     */
    @Nullable
    public Quantity quantity(Object what, String key) throws IOException {
        if (isNull()) {
            return Quantity.ZERO;
        }
        Optional<Quantity> parsed = Optional.empty();
        if (parser.currentToken().isScalarValue()) {
            parsed = Quantity.parse(parser.getText().strip());
        } else {
            parser.skipChildren();
        }
        if (parsed.isEmpty()) {
            report(what + "." + shown(key) + " is not a quantity such as 1 or 2Gi");
        }
        return parsed.orElse(null);
    }

    /** Returns a key, cut at {@link #LONGEST} characters, for use in a message. */
    public static String shown(String key) {
        return key.length() > LONGEST ? key.substring(0, LONGEST) : key;
    }
}
