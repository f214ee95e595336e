package dev.sluice.kube.client;

import com.fasterxml.jackson.core.JsonParser;
import dev.sluice.json.JsonCursor;
import java.io.IOException;
import java.util.function.Consumer;

/** Decodes one page of a list. */
public record ListDecoder<T>(ObjectDecoder<T> decoder) {

    /**
     * The metadata of a page.
     *
     * @param resourceVersion that of the whole list; 0 where it is no number
     * @param continueToken requests the next page; empty on the last
     */
    public record ListPage(long resourceVersion, String continueToken) {}

    /**
     * Hands over each item as it is read. If this fails, the items that were handed over have to be dropped.
     *
     * @throws IOException when the page is cut short or is no list
     */
    public ListPage read(JsonParser parser, Consumer<DecodeResult<T>> items) throws IOException {
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
