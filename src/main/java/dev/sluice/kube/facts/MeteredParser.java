package dev.sluice.kube.facts;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.util.JsonParserDelegate;
import java.io.IOException;
import java.io.Serial;

/**
 * Limits what is read of one object, for which it is made: whoever may create an object chooses how many values are in it. What is skipped
 * does not count.
 */
final class MeteredParser extends JsonParserDelegate {

    /** Objects that people write have some thousand. The API server stores objects with a million. */
    static final int MOST_VALUES = 100_000;

    /** The API server stores objects of 3 MiB at most. */
    private static final long MOST_LETTERS = 4 * 1024 * 1024;

    private int values;
    private long letters;

    MeteredParser(JsonParser parser) {
        super(parser);
    }

    /** An object has more than is read of one. */
    static final class TooLarge extends IOException {

        @Serial
        private static final long serialVersionUID = 1;

        TooLarge() {
            super("it has more than " + MOST_VALUES + " values, or more than " + MOST_LETTERS + " characters");
        }
    }

    @Override
    public JsonToken nextToken() throws IOException {
        values++;
        if (values > MOST_VALUES) {
            throw new TooLarge();
        }
        return delegate.nextToken();
    }

    @Override
    public String getText() throws IOException {
        String text = delegate.getText();
        read(text.length());
        return text;
    }

    @Override
    public char[] getTextCharacters() throws IOException {
        read(delegate.getTextLength());
        return delegate.getTextCharacters();
    }

    private void read(int more) throws TooLarge {
        letters += more;
        if (letters > MOST_LETTERS) {
            throw new TooLarge();
        }
    }
}
