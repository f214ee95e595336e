package dev.sluice.kube.decode;

import com.fasterxml.jackson.core.JsonParser;
import dev.sluice.json.JsonCursor;
import java.io.IOException;
import java.util.function.Consumer;

/** Decodes one page of a list. */
public record ListDecoder<T>(ObjectDecoder<T> decoder) {

    /**
     * The metadata of a page.
     *
     * @param resourceVersion the resourceVersion of the whole list; 0 if it is not a number
     * @param continueToken the token that requests the next page; empty on the last page
     */
    public record ListPage(long resourceVersion, String continueToken) {}

    /**
     * Decodes a page and passes each item to {@code items} as soon as the item is read. If this method fails, the
     * caller has to discard the items that it has received.
     *
     * @throws IOException if the page is truncated or is not a list
     */
    public ListPage read(JsonParser parser, Consumer<ObjectDecodeResult<T>> items) throws IOException {
        parser.nextToken();
        if (!parser.isExpectedStartObjectToken()) {
            throw new IOException("the answer to a list is no JSON object");
        }
        JsonCursor cursor = new JsonCursor(parser);
        String[] texts = {"", ""};
        cursor.object("list", field -> {
            switch (field) {
                case "metadata" -> cursor.object(field, name -> metadata(name, cursor, texts));
                case "items" -> cursor.array(field, () -> items.accept(decoder.decode(parser)));
                default -> cursor.skip();
            }
        });
        return new ListPage(ObjectMeta.version(texts[0]), texts[1]);
    }

    private static void metadata(String field, JsonCursor cursor, String[] texts) throws IOException {
        switch (field) {
            case "resourceVersion" -> texts[0] = cursor.textOrEmpty(field);
            case "continue" -> texts[1] = cursor.textOrEmpty(field);
            default -> cursor.skip();
        }
    }
}
