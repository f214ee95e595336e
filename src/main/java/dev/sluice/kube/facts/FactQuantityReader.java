package dev.sluice.kube.facts;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import java.io.IOException;
import java.io.Serial;

/** Reads the text of a quantity. In JSON, the quantity may also be a number. Null becomes 0, as in the API server. */
final class FactQuantityReader extends StdScalarDeserializer<String> {

    @Serial
    private static final long serialVersionUID = 1;

    FactQuantityReader() {
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
