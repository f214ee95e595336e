package dev.sluice.codec;

import com.fasterxml.jackson.core.JsonParser;
import dev.sluice.cluster.Node;
import java.io.IOException;
import java.util.function.Consumer;

/** Reads nodes, keeping only what decisions read. Has one owner: equal labels, taints and amounts are shared. */
public final class NodeDecoder implements ObjectDecoder<Node> {

    private final Pool pool = new Pool();

    @Override
    public Decoded<Node> decode(JsonParser parser) throws IOException {
        JsonCursor cursor = new JsonCursor(parser);
        NodeDraft draft = new NodeDraft(cursor, pool);
        cursor.object("the object", draft::field);
        return draft.finished();
    }

    /**
     * A document that is either a node or, whatever it calls itself, holds some: each of its {@code items} is handed
     * over as it is read.
     */
    public Decoded<Node> decodeDocument(JsonParser parser, Consumer<Decoded<Node>> items) throws IOException {
        JsonCursor cursor = new JsonCursor(parser);
        NodeDraft draft = new NodeDraft(cursor, pool);
        cursor.object("the document", field -> {
            if (field.equals("items")) {
                cursor.array(field, () -> items.accept(decode(parser)));
            } else {
                draft.field(field);
            }
        });
        return draft.finished();
    }
}
