package dev.sluice.kube.decode;

import com.fasterxml.jackson.core.JsonParser;
import dev.sluice.cluster.Node;
import dev.sluice.json.JsonCursor;
import java.io.IOException;

/**
 * Decodes the parts of nodes that decisions read. Equal labels, taints and amounts are shared between nodes. It is not
 * thread-safe.
 */
public final class NodeDecoder implements ObjectDecoder<Node> {

    private final DecodedValuePool internPool = new DecodedValuePool();
    private final DecodedLabelPool labelInternPool = new DecodedLabelPool(internPool);

    @Override
    public ObjectDecodeResult<Node> decode(JsonParser parser) throws IOException {
        JsonCursor cursor = new JsonCursor(parser);
        NodeBuilder node = new NodeBuilder(cursor, new ObjectHead(cursor, ""), internPool, labelInternPool);
        cursor.object("the object", node::field);
        return node.build();
    }
}
