package dev.sluice.podspec;

import dev.sluice.json.JsonCursor;
import dev.sluice.pod.Pod;
import java.io.IOException;

/**
 * Tells a stamp that the pod's author has written from one that we gave. Before it asks any webhook the API server
 * writes into {@code managedFields} which fields the request has set ({@code handlers/create.go}), and what webhooks
 * change is not added: a pod that comes again does not own the stamp it got the first time, and a pod that was created
 * with a stamp does.
 */
public final class StampAuthor {

    private static final String STAMP = "f:" + Pod.STAMP;

    private final JsonCursor cursor;
    private final AnnotationsDecoder annotations;

    public StampAuthor(JsonCursor cursor, AnnotationsDecoder annotations) {
        this.cursor = cursor;
        this.annotations = annotations;
    }

    /** The cursor stands on the first token of the list. */
    public void managedFields() throws IOException {
        cursor.array("metadata.managedFields", () -> cursor.object("metadata.managedFields", this::entry));
    }

    private void entry(String field) throws IOException {
        into(field, "fieldsV1", this::fields);
    }

    private void fields(String field) throws IOException {
        into(field, "f:metadata", this::metadata);
    }

    private void metadata(String field) throws IOException {
        into(field, "f:annotations", this::annotation);
    }

    private void into(String field, String wanted, JsonCursor.FieldReader reader) throws IOException {
        if (field.equals(wanted)) {
            cursor.object(wanted, reader);
        } else {
            cursor.skip();
        }
    }

    private void annotation(String key) throws IOException {
        if (key.equals(STAMP)) {
            annotations.discardStamp();
        }
        cursor.skip();
    }
}
