package dev.sluice.kube.decode;

import com.fasterxml.jackson.core.JsonParser;
import dev.sluice.json.JsonCursor;
import java.io.IOException;
import java.util.function.Consumer;

/** Decodes documents that are a node, a pod or a list of them. Has one owner. */
public final class ClusterDecoder {

    private final InternPool internPool = new InternPool();
    private final LabelInternPool labelInternPool = new LabelInternPool(internPool);

    /** Hands over each of the {@code items} of a document as it is read, and returns the document itself. */
    public ClusterObject decode(JsonParser parser, Consumer<ClusterObject> items) throws IOException {
        JsonCursor cursor = new JsonCursor(parser);
        ClusterObject document = new ClusterObject(cursor, internPool, labelInternPool, "");
        cursor.object("the document", field -> {
            if (field.equals("items")) {
                document.items(() -> items.accept(item(parser, document)));
            } else {
                document.field(field);
            }
        });
        return document;
    }

    /** Items of a list of one kind need not name it, and the list may name it only after them. */
    private ClusterObject item(JsonParser parser, ClusterObject list) throws IOException {
        JsonCursor cursor = new JsonCursor(parser);
        ClusterObject item = new ClusterObject(cursor, internPool, labelInternPool, list.kindOfItems());
        cursor.object("the object", item::field);
        return item;
    }
}
