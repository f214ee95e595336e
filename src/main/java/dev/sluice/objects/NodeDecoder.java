package dev.sluice.objects;

import com.fasterxml.jackson.core.JsonParser;
import dev.sluice.json.JsonCursor;
import dev.sluice.kube.list.Decoded;
import dev.sluice.kube.list.ObjectDecoder;
import dev.sluice.kube.list.ObjectHead;
import dev.sluice.node.Node;
import dev.sluice.podspec.InternPool;
import java.io.IOException;

/** Reads nodes, keeping only what decisions read. Has one owner: equal labels, taints and amounts are shared. */
public final class NodeDecoder implements ObjectDecoder<Node> {

    private final InternPool pool = new InternPool();
    private final LabelInternPool labels = new LabelInternPool(pool);

    @Override
    public Decoded<Node> decode(JsonParser parser) throws IOException {
        JsonCursor cursor = new JsonCursor(parser);
        NodeBuilder node = new NodeBuilder(cursor, new ObjectHead(cursor, ""), pool, labels);
        cursor.object("the object", node::field);
        return node.build();
    }
}
