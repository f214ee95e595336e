package dev.sluice.api;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import java.io.IOException;
import java.io.StringWriter;

/** Writes JSON in ASCII. */
final class JsonText {

    private static final JsonFactory ASCII =
            JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    interface Writing {
        void to(JsonGenerator json) throws IOException;
    }

    private JsonText() {}

    static String of(Writing writing) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = ASCII.createGenerator(text)) {
            writing.to(json);
        } catch (IOException impossible) {
            throw new IllegalStateException("writing to memory failed", impossible);
        }
        return text.toString();
    }
}
