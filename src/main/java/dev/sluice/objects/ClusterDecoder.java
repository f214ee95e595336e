package dev.sluice.objects;

import com.fasterxml.jackson.core.JsonParser;
import dev.sluice.json.JsonCursor;
import dev.sluice.podspec.InternPool;
import java.io.IOException;
import java.util.function.Consumer;

/** Reads documents that hold nodes and pods, or are one. Has one owner. */
public final class ClusterDecoder {

    private final InternPool internPool = new InternPool();
    private final LabelInternPool labelInternPool = new LabelInternPool(internPool);

    /**
     * A document that is either an object or, whatever it calls itself, holds some: each of its {@code items} is handed
     * over as it is read.
     */
    public ClusterObject decode(JsonParser parser, Consumer<ClusterObject> items) throws IOException {
        JsonCursor cursor = new JsonCursor(parser);
        ClusterObject document = new ClusterObject(cursor, internPool, labelInternPool, "");
        cursor.object("the document", field -> {
            if (field.equals("items")) {
                cursor.array(field, () -> items.accept(item(parser, document)));
            } else {
                document.field(field);
            }
        });
        return document;
    }

    /** The items of a list of one kind need not say what they are; a list may say so only after them. */
    private ClusterObject item(JsonParser parser, ClusterObject list) throws IOException {
        JsonCursor cursor = new JsonCursor(parser);
        ClusterObject item = new ClusterObject(cursor, internPool, labelInternPool, list.kindOfItems());
        cursor.object("the object", item::field);
        return item;
    }
}
