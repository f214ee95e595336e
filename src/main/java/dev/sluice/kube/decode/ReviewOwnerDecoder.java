package dev.sluice.kube.decode;

import dev.sluice.json.JsonCursor;
import dev.sluice.record.RecordedReviewHead.PodOwner;
import java.io.IOException;

/**
 * Decodes the controller of a pod, such as a ReplicaSet, from the owner references of the pod. The controller is named
 * in messages. It is also used to find out whether earlier pods of the controller were refused. Errors in owner
 * references are ignored, because no answer depends on them.
 */
final class ReviewOwnerDecoder {

    /** The maximum number of owner references that are read. A pod usually has one owner reference. */
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
     * Creates the decoder. The cursor must collect its problems separately, because an error in an owner reference must
     * not make the pod undecodable.
     */
    ReviewOwnerDecoder(JsonCursor cursor) {
        this.cursor = cursor;
    }

    /** Decodes the value of {@code metadata.ownerReferences}. */
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
