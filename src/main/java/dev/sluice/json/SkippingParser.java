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
 * Jackson's parser, except that it skips unread values without making strings of their field names
 * (src/docs/decisions/0013-unread-json-is-skipped-without-jackson.md), and that it knows only few names.
 */
public final class SkippingParser extends ReaderBasedJsonParser {

    /**
     * So many names are shared by all texts. Reviews have some hundred fields in common; what authors of pods make up
     * beyond them is forgotten with its text. Jackson would keep 12,000 names of any length.
     */
    static final int MOST_NAMES = 190;

    /** An ordinary review has 5 KB. A longer text leaves no names behind, because they may be as long. */
    static final int LONGEST_TAUGHT = 16 * 1024;

    /** Creates parsers for texts that are in memory as a whole, and that are short. */
    public static final class Factory extends JsonFactory {

        private static final long serialVersionUID = 1;

        public Factory(StreamReadConstraints limits) {
            super(new JsonFactoryBuilder()
                    .enable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
                    .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                    // Where too many names fall on one place, the rest of them are just not shared.
                    .disable(JsonFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
                    .streamReadConstraints(limits));
        }

        @Override
        protected JsonParser _createParser(char[] text, int from, int length, IOContext context, boolean recyclable) {
            return new SkippingParser(
                    context, _parserFeatures, _objectCodec, _rootCharSymbols.makeChild(), text, from, from + length);
        }

        /** How many names the next text finds. */
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

    /** Where Jackson would give all names of this text to the texts after it, only few are given. */
    @Override
    protected void _releaseBuffers() throws IOException {
        if (_symbols.size() <= MOST_NAMES && _inputEnd <= LONGEST_TAUGHT) {
            super._releaseBuffers();
        } else {
            // All that the parsers above do for a text that its caller holds.
            _textBuffer.releaseBuffers();
        }
    }
}
