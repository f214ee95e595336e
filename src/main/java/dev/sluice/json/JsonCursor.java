package dev.sluice.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.sluice.cluster.quantity.Quantity;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Walks one value token by token. Each method starts at the first token of a value and ends at its last.
 *
 * <p>A value of the wrong type is skipped and reported as {@link #problem()}, which calls it {@code what}; {@code null}
 * counts as absent, as for the API server. Skipped fields never become objects.
 */
public final class JsonCursor {

    /** Reads the value of a field, whose first token is the current one. */
    public interface FieldReader {
        void read(String field) throws IOException;
    }

    public interface ValueReader {
        void read() throws IOException;
    }

    /**
     * The longest text that Kubernetes compares with another is the name of a resource: a domain of 253 characters, a
     * slash and 63 more. A text that was cut at twice that length equals no legal one.
     */
    public static final int LONGEST = 2 * 317;

    private final JsonParser parser;
    private @Nullable String problem;

    public JsonCursor(JsonParser parser) {
        this.parser = parser;
    }

    /** A cursor at the same place, with problems of its own. */
    public JsonCursor apart() {
        return new JsonCursor(parser);
    }

    /** The first value that was not valid, in words. */
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

    /** True when the value is {@code null}; then it is consumed. */
    public boolean isNull() {
        return parser.currentToken() == JsonToken.VALUE_NULL;
    }

    /** Every field of an object, in order; the reader must consume or {@link #skip()} each value. */
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

    /** Every element of a list, in order; the reader must consume or {@link #skip()} each. */
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

    /** A string, or null where the value is absent or something else. */
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

    /** A string, empty where the value is absent or something else. */
    public String textOrEmpty(Object what) throws IOException {
        String text = text(what);
        return text == null ? "" : text;
    }

    /** As {@link #textOrEmpty}, cut at {@link #LONGEST} characters. */
    public String name(Object what) throws IOException {
        if (parser.currentToken() != JsonToken.VALUE_STRING || parser.getTextLength() <= LONGEST) {
            return textOrEmpty(what);
        }
        return new String(parser.getTextCharacters(), parser.getTextOffset(), LONGEST);
    }

    /** The length of the current string; 0 where the value is no string. */
    public int letters() throws IOException {
        return parser.currentToken() == JsonToken.VALUE_STRING ? parser.getTextLength() : 0;
    }

    public boolean isText() {
        return parser.currentToken() == JsonToken.VALUE_STRING;
    }

    /** The UTF-8 length of the current string, without creating it. */
    public long textBytes() throws IOException {
        char[] chars = parser.getTextCharacters();
        long bytes = 0;
        for (int i = parser.getTextOffset(); i < parser.getTextOffset() + parser.getTextLength(); i++) {
            bytes += utf8Bytes(chars[i]);
        }
        return bytes;
    }

    /** Each half of a surrogate pair counts as two of its four bytes. */
    public static int utf8Bytes(char c) {
        return c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
    }

    /** A whole number of 32 bits; 0 where the value is absent or something else. */
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

    public boolean truth(Object what) throws IOException {
        JsonToken token = parser.currentToken();
        if (token != JsonToken.VALUE_TRUE && token != JsonToken.VALUE_FALSE && token != JsonToken.VALUE_NULL) {
            report(what + " is not true or false");
            parser.skipChildren();
        }
        return token == JsonToken.VALUE_TRUE;
    }

    /**
     * A quantity, or null where it is invalid. The API server accepts {@code null} as 0, and blanks around a number.
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

    /** A key for messages, cut at {@link #LONGEST} characters. */
    public static String shown(String key) {
        return key.length() > LONGEST ? key.substring(0, LONGEST) : key;
    }
}
