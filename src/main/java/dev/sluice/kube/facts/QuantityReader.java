package dev.sluice.kube.facts;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import java.io.IOException;
import java.io.Serial;

/** Reads a quantity, which may be a number, as it is written. The API server takes null as 0. */
final class QuantityReader extends StdScalarDeserializer<String> {

    @Serial
    private static final long serialVersionUID = 1;

    QuantityReader() {
        super(String.class);
    }

    @Override
    public String deserialize(JsonParser parser, DeserializationContext context) throws IOException {
        return parser.currentToken().isScalarValue()
                ? parser.getText().strip()
                : (String) context.handleUnexpectedToken(String.class, parser);
    }

    @Override
    public Object getEmptyValue(DeserializationContext context) {
        return "0";
    }
}
