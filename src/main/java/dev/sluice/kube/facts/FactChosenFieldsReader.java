package dev.sluice.kube.facts;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import java.io.IOException;
import java.io.Serial;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads a map and keeps only the fields that a subclass chooses. A value that is not a map is read as an empty map. */
abstract sealed class FactChosenFieldsReader<V> extends StdDeserializer<Map<String, V>>
        permits FactAnnotationsReader, FactMigLabelReader {

    @Serial
    private static final long serialVersionUID = 1;

    FactChosenFieldsReader() {
        super(Map.class);
    }

    /**
     * Returns the value to keep for this field. Returns null if the field is not kept.
     *
     * @param value a parser at the first token of the value
     */
    abstract @Nullable V kept(String field, JsonParser value) throws IOException;

    @Override
    public final Map<String, V> deserialize(JsonParser parser, DeserializationContext context) throws IOException {
        Map<String, V> fields = new HashMap<>();
        if (!parser.isExpectedStartObjectToken()) {
            parser.skipChildren();
            return fields;
        }
        for (String field = parser.nextFieldName(); field != null; field = parser.nextFieldName()) {
            parser.nextToken();
            V value = kept(field, parser);
            if (value != null) {
                fields.put(field, value);
            }
            parser.skipChildren();
        }
        return fields;
    }

    @Override
    public final Object getEmptyValue(DeserializationContext context) {
        return Map.of();
    }
}
