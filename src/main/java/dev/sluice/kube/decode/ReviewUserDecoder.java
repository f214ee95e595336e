package dev.sluice.kube.decode;

import dev.sluice.json.JsonCursor;
import java.io.IOException;

/** Decodes {@code request.userInfo}, and keeps only whether the user is a node. */
final class ReviewUserDecoder {

    private static final String NODE_PREFIX = "system:node:";
    private static final String NODES = "system:nodes";

    private final JsonCursor cursor;
    private boolean isNamedAsNode;
    private boolean isInGroupOfNodes;

    /**
     * Creates the decoder. The cursor must collect its problems separately, because an error in the user must not make
     * the review undecodable.
     */
    ReviewUserDecoder(JsonCursor cursor) {
        this.cursor = cursor;
    }

    /** Decodes the value of {@code request.userInfo}. */
    void read() throws IOException {
        cursor.object("userInfo", this::field);
    }

    private void field(String field) throws IOException {
        switch (field) {
            case "username" -> isNamedAsNode = cursor.name(field).startsWith(NODE_PREFIX);
            case "groups" ->
                cursor.array(
                        field, () -> isInGroupOfNodes |= cursor.name("a group").equals(NODES));
            default -> cursor.skip();
        }
    }

    /**
     * Returns true if the user is a kubelet. Like the node authorizer of the API server, this method checks the name
     * and the groups of the user.
     */
    boolean isNode() {
        return isNamedAsNode && isInGroupOfNodes;
    }
}
