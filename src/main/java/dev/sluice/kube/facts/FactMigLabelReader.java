package dev.sluice.kube.facts;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import java.io.IOException;
import java.io.Serial;
import java.util.HashMap;
import java.util.Map;

/**
 * Reads from {@code managedFields} the labels that a field manager owns, and keeps only those that a change of the MIG
 * configuration writes.
 */
final class FactMigLabelReader extends StdDeserializer<Map<String, Map<String, String>>> {

    @Serial
    private static final long serialVersionUID = 1;

    private static final String STATE = "f:nvidia.com/mig.config.state";
    private static final String DEPLOY = "f:nvidia.com/gpu.deploy.";

    FactMigLabelReader() {
        super(Map.class);
    }

    @Override
    public Map<String, Map<String, String>> deserialize(JsonParser parser, DeserializationContext context)
            throws IOException {
        Map<String, Map<String, String>> kept = new HashMap<>();
        if (parser.isExpectedStartObjectToken()) {
            for (String key = parser.nextFieldName(); key != null; key = parser.nextFieldName()) {
                if (key.equals(STATE) || key.startsWith(DEPLOY)) {
                    kept.put(key, Map.of());
                }
                parser.nextToken();
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
