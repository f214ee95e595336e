package dev.sluice.api;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonSerializable;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.jsontype.TypeSerializer;
import dev.sluice.record.NumberedDecisionRecord;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/**
 * The JSON of a {@link DecisionDocument} of this or another replica. If the other replica has a newer release, the JSON
 * may have more fields.
 *
 * @param id identifies the decision among those of all replicas
 * @param json the document on one line; all its characters are safe to print on a terminal
 */
record DecisionDocumentJson(String id, Instant time, String json) implements JsonSerializable {

    /**
     * Writes the document of a decision of this replica.
     *
     * @param epoch the text that identifies this process
     */
    static DecisionDocumentJson of(NumberedDecisionRecord kept, String epoch) {
        DecisionDocument document = DecisionDocument.of(kept, epoch);
        return new DecisionDocumentJson(document.id(), document.time(), ApiJson.text(document));
    }

    /** Returns the size of the document in a list, in bytes. It includes the comma after the document. */
    int bytes() {
        return json.getBytes(StandardCharsets.UTF_8).length + 1;
    }

    @Override
    public void serialize(JsonGenerator generator, SerializerProvider provider) throws IOException {
        generator.writeRawValue(json);
    }

    @Override
    public void serializeWithType(JsonGenerator generator, SerializerProvider provider, TypeSerializer types)
            throws IOException {
        serialize(generator, provider);
    }
}
