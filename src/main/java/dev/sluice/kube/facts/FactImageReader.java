package dev.sluice.kube.facts;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import dev.sluice.doctor.GpuComponent;
import java.io.IOException;
import java.io.Serial;

/** Reads the name of a container image, and removes the registry from the name. */
final class FactImageReader extends StdScalarDeserializer<String> {

    @Serial
    private static final long serialVersionUID = 1;

    FactImageReader() {
        super(String.class);
    }

    @Override
    public String deserialize(JsonParser parser, DeserializationContext context) throws IOException {
        return parser.currentToken() == JsonToken.VALUE_STRING
                ? GpuComponent.shortImage(parser.getText())
                : (String) context.handleUnexpectedToken(String.class, parser);
    }

    @Override
    public Object getEmptyValue(DeserializationContext context) {
        return "";
    }
}
