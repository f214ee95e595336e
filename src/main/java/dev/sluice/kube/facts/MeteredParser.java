package dev.sluice.kube.facts;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.util.JsonParserDelegate;
import java.io.IOException;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * The parser of one object, which limits what is read of it: whoever may create an object chooses how many values are
 * in it. What is skipped does not count.
 */
final class MeteredParser extends JsonParserDelegate {

    /** Objects that people write have some thousand. The API server stores objects with a million. */
    static final int MOST_VALUES = 100_000;

    /** The API server stores objects of 3 MiB at most. */
    private static final long MOST_LETTERS = 4 * 1024 * 1024;

    private final JsonParser stream;
    private int values;
    private long letters;
    private @Nullable JsonStreamContext metadata;
    private String name = "";
    private String namespace = "";

    MeteredParser(JsonParser stream) {
        super(stream);
        this.stream = stream;
    }

    /** The tokens that come next; after them the stream goes on with its current token. */
    void insert(JsonParser tokens) {
        delegate = tokens;
    }

    /** An object has more than is read of one. */
    static final class OversizedItem extends IOException {

        @Serial
        private static final long serialVersionUID = 1;

        OversizedItem() {
            super("it has more than " + MOST_VALUES + " values, or more than " + MOST_LETTERS + " characters");
        }
    }

    /** The metadata of the object begin at the current token, or have ended. */
    void isInMetadata(boolean isInside) {
        metadata = isInside ? stream.getParsingContext() : null;
    }

    boolean isInMetadata() {
        return metadata != null;
    }

    /** What was read of the name so far, after the namespace where there is one. */
    String fullName() {
        return namespace.isEmpty() ? name : namespace + "/" + name;
    }

    /** A field of the metadata, which may name the object. */
    void metadata(String field, String text) {
        switch (field) {
            case "name" -> name = text;
            case "namespace" -> namespace = text;
            default -> {}
        }
    }

    @Override
    public JsonToken nextToken() throws IOException {
        values++;
        if (values > MOST_VALUES) {
            throw new OversizedItem();
        }
        JsonToken token = delegate.nextToken();
        if (token == null && !delegate.equals(stream)) {
            delegate = stream;
            return stream.currentToken();
        }
        return token;
    }

    @Override
    public String getText() throws IOException {
        String text = delegate.getText();
        read(text.length());
        if (metadata != null && metadata.equals(stream.getParsingContext())) {
            metadata(String.valueOf(metadata.getCurrentName()), text);
        }
        return text;
    }

    @Override
    public char[] getTextCharacters() throws IOException {
        read(delegate.getTextLength());
        return delegate.getTextCharacters();
    }

    private void read(int more) throws OversizedItem {
        letters += more;
        if (letters > MOST_LETTERS) {
            throw new OversizedItem();
        }
    }
}
