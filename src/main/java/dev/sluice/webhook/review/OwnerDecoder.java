package dev.sluice.webhook.review;

import dev.sluice.json.JsonCursor;
import dev.sluice.record.ReviewHead.PodOwner;
import java.io.IOException;

/**
 * Reads the controller that a pod belongs to. The owner is shown to people, and it identifies earlier decisions that
 * are obsolete. No answer depends on it, so errors in it are ignored.
 */
final class OwnerDecoder {

    /** The maximum number of owner references that are read. A pod has one owner, or a few. */
    private static final int MOST = 16;

    private final JsonCursor cursor;
    private PodOwner owner = PodOwner.NONE;
    private int seen;
    private String apiVersion = "";
    private String kind = "";
    private String name = "";
    private String uid = "";
    private boolean controls;

    /**
     * Creates the decoder. The cursor must report its problems separately, so that they do not make the pod unreadable.
     */
    OwnerDecoder(JsonCursor cursor) {
        this.cursor = cursor;
    }

    /** Reads the value of {@code metadata.ownerReferences}. */
    void read() throws IOException {
        cursor.array("ownerReferences", this::reference);
    }

    private void reference() throws IOException {
        seen++;
        if (seen > MOST) {
            cursor.skip();
            return;
        }
        apiVersion = "";
        kind = "";
        name = "";
        uid = "";
        controls = false;
        cursor.object("an owner", this::field);
        if (controls) {
            owner = new PodOwner(kind, name, apiVersion, uid);
        }
    }

    private void field(String field) throws IOException {
        switch (field) {
            case "apiVersion" -> apiVersion = cursor.name(field);
            case "uid" -> uid = cursor.name(field);
            case "kind" -> kind = cursor.name(field);
            case "name" -> name = cursor.name(field);
            case "controller" -> controls = cursor.truth(field);
            default -> cursor.skip();
        }
    }

    PodOwner owner() {
        return owner;
    }
}
