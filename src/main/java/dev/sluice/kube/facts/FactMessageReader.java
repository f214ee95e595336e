package dev.sluice.kube.facts;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import dev.sluice.text.ShortText;
import java.io.IOException;
import java.io.Serial;

/**
 * Reads a message. A message with more than {@link #LONGEST} characters is shortened to that length and ends in three
 * dots. The longest messages of the scheduler have a few hundred characters, but users who may create Events choose how
 * long their messages are.
 */
final class FactMessageReader extends StdScalarDeserializer<String> {

    static final int LONGEST = 4 * 1024;

    @Serial
    private static final long serialVersionUID = 1;

    FactMessageReader() {
        super(String.class);
    }

    @Override
    public String deserialize(JsonParser parser, DeserializationContext context) throws IOException {
        if (parser.currentToken() != JsonToken.VALUE_STRING) {
            return (String) context.handleUnexpectedToken(String.class, parser);
        }
        if (parser.getTextLength() <= LONGEST) {
            return parser.getText();
        }
        return ShortText.of(new String(parser.getTextCharacters(), parser.getTextOffset(), LONGEST + 1), LONGEST);
    }

    @Override
    public Object getEmptyValue(DeserializationContext context) {
        return "";
    }
}
