package dev.sluice.kube.facts;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import java.io.IOException;
import java.io.Serial;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Reads labels. They are skipped if the diagnosis does not use the labels of this kind of object. An object with more
 * than {@link #MOST} labels is rejected. The API server accepts about 46,000 labels in one object, but people write a
 * few dozen.
 */
final class FactLabelsReader extends StdDeserializer<Map<String, String>> {

    static final int MOST = 1_000;

    /** The name of the ObjectReader attribute that is true if labels are skipped. */
    static final String SKIPPED = "labels are skipped";

    @Serial
    private static final long serialVersionUID = 1;

    FactLabelsReader() {
        super(Map.class);
    }

    @Override
    @SuppressWarnings("unchecked") // The cast is safe, because handleUnexpectedToken returns a Map for Map.class.
    public Map<String, String> deserialize(JsonParser parser, DeserializationContext context) throws IOException {
        if (!parser.isExpectedStartObjectToken()) {
            return (Map<String, String>) context.handleUnexpectedToken(Map.class, parser);
        }
        if (Objects.equals(context.getAttribute(SKIPPED), true)) {
            parser.skipChildren();
            return Map.of();
        }
        Map<String, String> labels = new LinkedHashMap<>();
        for (String key = parser.nextFieldName(); key != null; key = parser.nextFieldName()) {
            if (labels.size() == MOST) {
                throw new MeteredFactParser.OversizedItem("it has more than " + MOST + " labels");
            }
            JsonToken token = parser.nextToken();
            if (token == JsonToken.VALUE_STRING) {
                labels.put(key, parser.getText());
            } else if (token == JsonToken.VALUE_NULL) {
                labels.put(key, "");
            } else {
                labels.put(key, unexpected(parser, context, key));
            }
        }
        return labels;
    }

    /** Throws an exception that names the label, like the exception that Jackson throws for a map. */
    private static String unexpected(JsonParser parser, DeserializationContext context, String key) throws IOException {
        try {
            return (String) context.handleUnexpectedToken(String.class, parser);
        } catch (JsonMappingException mismatch) {
            throw JsonMappingException.wrapWithPath(mismatch, Map.of(), key);
        }
    }

    @Override
    public Object getEmptyValue(DeserializationContext context) {
        return Map.of();
    }
}
