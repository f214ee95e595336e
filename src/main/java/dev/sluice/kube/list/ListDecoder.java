package dev.sluice.kube.list;

import com.fasterxml.jackson.core.JsonParser;
import dev.sluice.json.JsonCursor;
import java.io.IOException;
import java.util.function.Consumer;

/** Reads one page of an API server's list. */
public final class ListDecoder<T> {

    /**
     * What a page says of itself.
     *
     * @param resourceVersion the moment of the whole list, 0 where it is no number
     * @param continueToken asks for the next page; empty on the last
     */
    public record ListPage(long resourceVersion, String continueToken) {}

    private final ObjectDecoder<T> decoder;

    public ListDecoder(ObjectDecoder<T> decoder) {
        this.decoder = decoder;
    }

    /**
     * Hands over each item as it is read. What was handed over is worth nothing if this fails.
     *
     * @throws IOException when the page is cut short or is no list
     */
    public ListPage read(JsonParser parser, Consumer<DecodeResult<T>> items) throws IOException {
        parser.nextToken();
        if (!parser.isExpectedStartObjectToken()) {
            throw new IOException("the answer to a list is no JSON object");
        }
        ListFields fields = new ListFields(parser, items);
        fields.cursor.object("list", fields::field);
        return new ListPage(ObjectMeta.version(fields.version), fields.continueToken);
    }

    private final class ListFields {
        private final JsonParser parser;
        private final JsonCursor cursor;
        private final Consumer<DecodeResult<T>> items;
        private String version = "";
        private String continueToken = "";

        ListFields(JsonParser parser, Consumer<DecodeResult<T>> items) {
            this.parser = parser;
            this.cursor = new JsonCursor(parser);
            this.items = items;
        }

        void field(String field) throws IOException {
            switch (field) {
                case "metadata" -> cursor.object(field, this::metadata);
                case "items" -> cursor.array(field, () -> items.accept(decoder.decode(parser)));
                default -> cursor.skip();
            }
        }

        private void metadata(String field) throws IOException {
            switch (field) {
                case "resourceVersion" -> version = cursor.textOrEmpty(field);
                case "continue" -> continueToken = cursor.textOrEmpty(field);
                default -> cursor.skip();
            }
        }
    }
}
