package dev.sluice.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.ObjectCodec;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.io.IOContext;
import com.fasterxml.jackson.core.json.ReaderBasedJsonParser;
import com.fasterxml.jackson.core.sym.CharsToNameCanonicalizer;
import java.io.IOException;

/**
 * Jackson's parser with two differences. It creates no strings for the field names in a skipped value
 * (src/docs/decisions/0013-unread-json-is-skipped-without-jackson.md). It keeps only a limited number of field names
 * for the parsers of later texts.
 */
public final class SkippingParser extends ReaderBasedJsonParser {

    /**
     * The maximum number of field names that are kept for the parsers of later texts. If a text would exceed the limit,
     * none of its new names are kept, because the author of a pod may have invented them. Jackson's own limit is 12,000
     * names.
     */
    static final int MOST_NAMES = 190;

    /**
     * The maximum length, in characters, of a text whose field names are kept. An ordinary review has 5 KB. A longer
     * text may have long names, which could fill the memory.
     */
    static final int LONGEST_SHARED = 16 * 1024;

    /** Creates parsers for short texts that are completely in memory. */
    public static final class Factory extends JsonFactory {

        private static final long serialVersionUID = 1;

        public Factory(StreamReadConstraints limits) {
            super(new JsonFactoryBuilder()
                    .enable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
                    .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                    // The author of a pod can choose many field names with the same hash. By default, Jackson would
                    // reject such a text. With this setting, Jackson reads the text.
                    .disable(JsonFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
                    .streamReadConstraints(limits));
        }

        @Override
        protected JsonParser _createParser(char[] text, int from, int length, IOContext context, boolean recyclable) {
            return new SkippingParser(
                    context, _parserFeatures, _objectCodec, _rootCharSymbols.makeChild(), text, from, from + length);
        }

        /** Returns the number of field names in the cache, which later texts use again. */
        int names() {
            return _rootCharSymbols.size();
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

    /** Skips the object or the list at the current token, and returns its text. */
    String skippedText() throws IOException {
        int from = _inputPtr - 1;
        var _ = skipChildren();
        return new String(_inputBuffer, from, _inputPtr - from);
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

    /** Releases the buffers. Keeps the field names of this text for later texts only if the limits allow it. */
    @Override
    protected void _releaseBuffers() throws IOException {
        if (_symbols.size() <= MOST_NAMES && _inputEnd <= LONGEST_SHARED) {
            super._releaseBuffers();
        } else {
            // The method of the superclass would also keep the field names.
            _textBuffer.releaseBuffers();
        }
    }
}
