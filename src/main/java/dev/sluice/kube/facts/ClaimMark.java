package dev.sluice.kube.facts;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import java.io.IOException;
import java.io.Serial;
import java.util.HashMap;
import java.util.Map;

/**
 * Reads the annotations of a claim, and keeps only the one that the scheduler sets on claims that it creates for
 * resource names.
 */
final class ClaimMark extends StdDeserializer<Map<String, String>> {

    @Serial
    private static final long serialVersionUID = 1;

    private static final String MARK = "resource.kubernetes.io/extended-resource-claim";

    ClaimMark() {
        super(Map.class);
    }

    @Override
    public Map<String, String> deserialize(JsonParser parser, DeserializationContext context) throws IOException {
        Map<String, String> kept = new HashMap<>();
        if (parser.isExpectedStartObjectToken()) {
            for (String key = parser.nextFieldName(); key != null; key = parser.nextFieldName()) {
                parser.nextToken();
                if (key.equals(MARK) && parser.currentToken().isScalarValue()) {
                    kept.put(key, parser.getText());
                }
                parser.skipChildren();
            }
        } else {
            parser.skipChildren();
        }
        return kept;
    }

    @Override
    public Object getEmptyValue(DeserializationContext context) {
        return Map.of();
    }
}
