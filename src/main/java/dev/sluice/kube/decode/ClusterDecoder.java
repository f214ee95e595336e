package dev.sluice.kube.decode;

import com.fasterxml.jackson.core.JsonParser;
import dev.sluice.json.JsonCursor;
import java.io.IOException;

/** Decodes documents that contain a node, a pod, or a list of nodes and pods. It is not thread-safe. */
public final class ClusterDecoder {

    /** Receives the items of a list, one after the other. */
    public interface ItemReceiver {
        void take(DecodedClusterObject item) throws IOException;
    }

    private final DecodedValuePool internPool = new DecodedValuePool();
    private final DecodedLabelPool labelInternPool = new DecodedLabelPool(internPool);

    /**
     * Decodes the document at the parser's position and returns it. If it is a list, each element is passed to
     * {@code items} as soon as the element is read.
     */
    public DecodedClusterObject decode(JsonParser parser, ItemReceiver items) throws IOException {
        JsonCursor cursor = new JsonCursor(parser);
        DecodedClusterObject document = new DecodedClusterObject(cursor, internPool, labelInternPool, "");
        cursor.object("the document", field -> {
            if (field.equals("items")) {
                document.items(() -> items.take(item(parser, document)));
            } else {
                document.field(field);
            }
        });
        return document;
    }

    /**
     * Decodes an item of a list. If the item states no kind, its kind follows from the kind of the list, such as
     * NodeList. The kind is unknown if the list states its own kind only after the items.
     */
    private DecodedClusterObject item(JsonParser parser, DecodedClusterObject list) throws IOException {
        JsonCursor cursor = new JsonCursor(parser);
        DecodedClusterObject item = new DecodedClusterObject(cursor, internPool, labelInternPool, list.kindOfItems());
        cursor.object("the object", item::field);
        return item;
    }
}
