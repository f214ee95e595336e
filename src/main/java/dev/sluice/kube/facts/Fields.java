package dev.sluice.kube.facts;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.sluice.json.JsonCursor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The fields of an object. What is missing is empty; what has the wrong type makes the item malformed. */
record Fields(JsonNode json, String path) {

    static final Fields NONE = new Fields(JsonNodeFactory.instance.objectNode(), "");

    private static boolean isMissing(JsonNode value) {
        return value.isMissingNode() || value.isNull();
    }

    private String at(String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    public boolean has(String name) {
        return !isMissing(json.path(name));
    }

    public Fields object(String name) throws MalformedItem {
        JsonNode value = json.path(name);
        if (!isMissing(value) && !value.isObject()) {
            throw new MalformedItem(at(name) + " is not a map");
        }
        return isMissing(value) ? NONE : new Fields(value, at(name));
    }

    /** The objects of a list. */
    public List<Fields> list(String name) throws MalformedItem {
        List<Fields> objects = new ArrayList<>();
        for (JsonNode value : array(name)) {
            if (!value.isObject()) {
                throw new MalformedItem(at(name) + " holds something else than maps");
            }
            objects.add(new Fields(value, at(name) + "[" + objects.size() + "]"));
        }
        return objects;
    }

    List<String> strings(String name) throws MalformedItem {
        List<String> strings = new ArrayList<>();
        for (JsonNode value : array(name)) {
            if (!value.isTextual()) {
                throw new MalformedItem(at(name) + " holds something else than strings");
            }
            strings.add(value.textValue());
        }
        return strings;
    }

    private JsonNode array(String name) throws MalformedItem {
        JsonNode value = json.path(name);
        if (!isMissing(value) && !value.isArray()) {
            throw new MalformedItem(at(name) + " is not a list");
        }
        return isMissing(value) ? JsonNodeFactory.instance.arrayNode() : value;
    }

    public String text(String name) throws MalformedItem {
        JsonNode value = json.path(name);
        if (!isMissing(value) && !value.isTextual()) {
            throw new MalformedItem(at(name) + " is not a string");
        }
        return isMissing(value) ? "" : value.textValue();
    }

    /** Quantities may be numbers, too. */
    Map<String, String> scalars(String name) throws MalformedItem {
        Map<String, String> scalars = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> entry : object(name).json().properties()) {
            if (entry.getValue().isContainerNode()) {
                throw new MalformedItem(at(name) + "." + entry.getKey() + " is not a string or number");
            }
            scalars.put(entry.getKey(), entry.getValue().asText());
        }
        return scalars;
    }

    /** A whole number, or {@code otherwise} where it is missing. */
    public long number(String name, long otherwise) throws MalformedItem {
        JsonNode value = json.path(name);
        if (!isMissing(value) && !value.isIntegralNumber()) {
            throw new MalformedItem(at(name) + " is not a whole number");
        }
        return isMissing(value) ? otherwise : value.longValue();
    }

    public boolean truth(String name) throws MalformedItem {
        JsonNode value = json.path(name);
        if (!isMissing(value) && !value.isBoolean()) {
            throw new MalformedItem(at(name) + " is not true or false");
        }
        return value.booleanValue();
    }

    /** Null where it is missing, or no time. */
    @Nullable
    public Instant time(String name) {
        return parsed(json.path(name).textValue());
    }

    /** As RFC 3339 writes it; null for anything else. */
    @Nullable
    static Instant parsed(@Nullable String text) {
        if (text == null || text.isEmpty()) {
            return null;
        }
        try {
            return text.endsWith("Z")
                    ? Instant.parse(text)
                    : OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeException other) {
            return null;
        }
    }

    /** Reads the object once more with a decoder of tokens. */
    void decode(JsonCursorUser user) throws MalformedItem {
        try (JsonParser parser = json.traverse()) {
            parser.nextToken();
            JsonCursor cursor = new JsonCursor(parser);
            user.use(cursor);
            if (cursor.problem().isPresent()) {
                throw new MalformedItem(cursor.problem().get());
            }
        } catch (IOException impossible) {
            throw new UncheckedIOException("reading from memory failed", impossible);
        }
    }

    interface JsonCursorUser {
        void use(JsonCursor cursor) throws IOException;
    }
}
