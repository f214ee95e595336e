package dev.sluice.kube.decode;

import dev.sluice.cluster.Pod;
import dev.sluice.json.JsonCursor;
import java.io.IOException;

/**
 * Distinguishes a stamp of the pod's author from one that Sluice wrote. Before it calls webhooks the API server records
 * the fields of the request in {@code managedFields} ({@code handlers/create.go}), and it does not add what webhooks
 * change: only a pod that was created with a stamp owns it there.
 */
public record StampAuthor(JsonCursor cursor, AnnotationsDecoder annotations) {

    private static final String STAMP = "f:" + Pod.STAMP;

    /** The cursor is at the first token of the list. */
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
