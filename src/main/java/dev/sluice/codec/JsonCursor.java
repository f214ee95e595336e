package dev.sluice.codec;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.sluice.cluster.Quantity;
import dev.sluice.cluster.ResourceName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Walks one value token by token. Each method starts at the first token of a value and ends at its last.
 *
 * <p>A value of the wrong type is passed over and remembered as {@link #problem()}; {@code null} counts as absent, as
 * it does for the API server. Fields nobody asks for never become objects.
 */
public final class JsonCursor {

    /** Reads the value of one field; the cursor stands on its first token. */
    public interface FieldReader {
        void read(String field) throws IOException;
    }

    /** Reads one value. */
    public interface ValueReader {
        void read() throws IOException;
    }

    /** Immutable maps are searched key by key where hash codes collide, and whoever writes a pod can make them. */
    private static final int MOST_KEYS = 2048;

    private final JsonParser parser;
    private @Nullable String problem;

    public JsonCursor(JsonParser parser) {
        this.parser = parser;
    }

    /** The first thing that was not as it must be, in words. */
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
    public void object(String what, FieldReader reader) throws IOException {
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
    public void array(String what, ValueReader reader) throws IOException {
        if (startsWith(JsonToken.START_ARRAY, what, "a list")) {
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                reader.read();
            }
        }
    }

    private boolean startsWith(JsonToken wanted, String what, String kind) throws IOException {
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
    public @Nullable String text(String what) throws IOException {
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
    public String textOrEmpty(String what) throws IOException {
        String text = text(what);
        return text == null ? "" : text;
    }

    /** The UTF-8 length of a string, without keeping it; 0 where it is something else. */
    public long textBytes(String what) throws IOException {
        if (parser.currentToken() != JsonToken.VALUE_STRING) {
            return textOrEmpty(what).length();
        }
        char[] chars = parser.getTextCharacters();
        long bytes = 0;
        for (int i = parser.getTextOffset(); i < parser.getTextOffset() + parser.getTextLength(); i++) {
            // Each half of a surrogate pair stands for two of the four bytes.
            char c = chars[i];
            bytes += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
        }
        return bytes;
    }

    public boolean truth(String what) throws IOException {
        JsonToken token = parser.currentToken();
        if (token != JsonToken.VALUE_TRUE && token != JsonToken.VALUE_FALSE && token != JsonToken.VALUE_NULL) {
            report(what + " is not true or false");
            parser.skipChildren();
        }
        return token == JsonToken.VALUE_TRUE;
    }

    public List<String> texts(String what) throws IOException {
        List<String> texts = new ArrayList<>();
        array(what, () -> texts.add(textOrEmpty(what)));
        return texts;
    }

    /** An object of strings, such as labels; null where absent. */
    public @Nullable Map<String, String> textMap(String what) throws IOException {
        if (!startsWith(JsonToken.START_OBJECT, what, "a map")) {
            return null;
        }
        Map<String, String> map = new HashMap<>();
        eachField(key -> putOnce(map, key, textOrEmpty(what), what));
        return map;
    }

    /** An object of quantities, in the order it was written; null where absent. */
    public @Nullable Map<ResourceName, Quantity> quantities(String what) throws IOException {
        if (!startsWith(JsonToken.START_OBJECT, what, "a map")) {
            return null;
        }
        Map<ResourceName, Quantity> map = new LinkedHashMap<>();
        eachField(key -> {
            Quantity quantity = quantity(what, key);
            if (quantity != null) {
                putOnce(map, new ResourceName(key), quantity, what);
            }
        });
        return map;
    }

    /** The API server takes strings and bare numbers, with blanks around them, and {@code null} as 0. */
    private @Nullable Quantity quantity(String what, String key) throws IOException {
        if (isNull()) {
            return Quantity.ZERO;
        }
        if (!parser.currentToken().isScalarValue()) {
            report(what + "." + key + " is not a quantity");
            parser.skipChildren();
            return null;
        }
        Optional<Quantity> parsed = Quantity.parse(parser.getText().strip());
        if (parsed.isEmpty()) {
            report(what + "." + key + " is not a quantity");
        }
        return parsed.orElse(null);
    }

    private <K, V> void putOnce(Map<K, V> map, K key, V value, String what) {
        if (map.size() == MOST_KEYS) {
            report(what + " has more than " + MOST_KEYS + " keys");
        } else if (map.put(key, value) != null) {
            report(what + " has the key " + key + " twice");
        }
    }
}
