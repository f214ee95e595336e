package dev.sluice.kube.facts;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.util.JsonParserDelegate;
import java.io.IOException;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * A parser that limits the number of values and characters that are read of one object, because users who may create an
 * object choose its size. Parts that are skipped do not count towards the limits.
 */
final class MeteredFactParser extends JsonParserDelegate {

    /**
     * The maximum number of values. Objects that people write have a few thousand values, but the API server stores
     * objects with up to a million values.
     */
    static final int MOST_VALUES = 100_000;

    /**
     * The maximum number of characters. It is above the limit of the API server, which stores objects of at most 3 MiB.
     */
    private static final long MOST_LETTERS = 4 * 1024 * 1024;

    private final JsonParser stream;
    private int values;
    private long letters;
    private @Nullable JsonStreamContext metadata;
    private String name = "";
    private String namespace = "";

    MeteredFactParser(JsonParser stream) {
        super(stream);
        this.stream = stream;
    }

    /** Inserts tokens before the current token of the stream. The parser returns the inserted tokens first. */
    void insert(JsonParser tokens) {
        delegate = tokens;
    }

    /** Reports that an object exceeds the limits. */
    static final class OversizedItem extends IOException {

        @Serial
        private static final long serialVersionUID = 1;

        OversizedItem() {
            this("it has more than " + MOST_VALUES + " values, or more than " + MOST_LETTERS + " characters");
        }

        /**
         * Creates the exception.
         *
         * @param message a clause about the object
         */
        OversizedItem(String message) {
            super(message);
        }
    }

    /**
     * Records whether the parser is in the metadata of the object.
     *
     * @param isInside true if the metadata begin at the current token, false if they have ended
     */
    void isInMetadata(boolean isInside) {
        metadata = isInside ? stream.getParsingContext() : null;
    }

    boolean isInMetadata() {
        return metadata != null;
    }

    /**
     * Returns the name of the object, as {@code namespace/name} if it has a namespace. Returns an empty text if the
     * name was not read yet.
     */
    String fullName() {
        return namespace.isEmpty() ? name : namespace + "/" + name;
    }

    String name() {
        return name;
    }

    String namespace() {
        return namespace;
    }

    /** Records a field of the metadata. Only name and namespace are kept. */
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
