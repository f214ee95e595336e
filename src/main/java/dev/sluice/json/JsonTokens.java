package dev.sluice.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/** The tokens of a JSON text in their order, with Jackson's names, whether or not Jackson parses the text. */
public interface JsonTokens {

    JsonToken current();

    JsonToken next() throws IOException;

    /** The next token if it is the name of a field; null at the end of the object. */
    @Nullable
    String nextName() throws IOException;

    /** Goes to the end of the object or list that begins here. */
    void skip() throws IOException;

    String text() throws IOException;

    BigInteger integer() throws IOException;

    BigDecimal decimal() throws IOException;

    static JsonTokens of(JsonParser parser) {
        return new OfParser(parser);
    }

    /** The tokens of a Jackson parser. */
    record OfParser(JsonParser parser) implements JsonTokens {

        @Override
        public JsonToken current() {
            return parser.currentToken();
        }

        @Override
        public JsonToken next() throws IOException {
            return parser.nextToken();
        }

        @Override
        @Nullable
        public String nextName() throws IOException {
            return parser.nextFieldName();
        }

        @Override
        public void skip() throws IOException {
            parser.skipChildren();
        }

        @Override
        public String text() throws IOException {
            return parser.getText();
        }

        @Override
        public BigInteger integer() throws IOException {
            return parser.getBigIntegerValue();
        }

        @Override
        public BigDecimal decimal() throws IOException {
            return parser.getDecimalValue();
        }
    }
}
