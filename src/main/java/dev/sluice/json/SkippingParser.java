package dev.sluice.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.ObjectCodec;
import com.fasterxml.jackson.core.io.IOContext;
import com.fasterxml.jackson.core.json.ReaderBasedJsonParser;
import com.fasterxml.jackson.core.sym.CharsToNameCanonicalizer;
import java.io.IOException;

/**
 * Jackson's parser, except that it skips unread values without making strings of their field names
 * (src/docs/decisions/0013-unread-json-is-skipped-without-jackson.md).
 */
public final class SkippingParser extends ReaderBasedJsonParser {

    /** Creates parsers for texts that are in memory as a whole. */
    public static final class Factory extends JsonFactory {

        private static final long serialVersionUID = 1;

        public Factory(JsonFactoryBuilder settings) {
            super(settings);
        }

        @Override
        protected JsonParser _createParser(char[] text, int from, int length, IOContext context, boolean recyclable) {
            return new SkippingParser(
                    context, _parserFeatures, _objectCodec, _rootCharSymbols.makeChild(), text, from, from + length);
        }
    }

    private final JsonSkipper skipper;

    private SkippingParser(
            IOContext context,
            int features,
            ObjectCodec codec,
            CharsToNameCanonicalizer names,
            char[] text,
            int from,
            int end) {
        super(context, features, null, codec, names, text, from, end, /* bufferRecyclable= */ false);
        this.skipper = new JsonSkipper(text, end);
    }

    @Override
    public JsonParser skipChildren() throws IOException {
        return switch (currentToken()) {
            case START_OBJECT -> skippedTo(skipper.afterObject(_inputPtr, levels()), JsonToken.END_OBJECT);
            case START_ARRAY -> skippedTo(skipper.afterArray(_inputPtr, levels()), JsonToken.END_ARRAY);
            case null, default -> this;
        };
    }

    private int levels() {
        return streamReadConstraints().getMaxNestingDepth() - _parsingContext.getNestingDepth();
    }

    private JsonParser skippedTo(int after, JsonToken last) throws IOException {
        if (after == JsonSkipper.UNSURE) {
            return super.skipChildren();
        }
        _inputPtr = after;
        _parsingContext = _parsingContext.clearAndGetParent();
        var _ = _updateToken(last);
        return this;
    }
}
