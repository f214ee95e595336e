package dev.sluice.kube.decode;

import com.fasterxml.jackson.core.JsonParser;
import dev.sluice.json.JsonCursor;
import java.io.IOException;

/**
 * The metadata that identifies an object and its version.
 *
 * @param stamp the value of the annotation {@link dev.sluice.cluster.Pod#STAMP}; empty if the object does not have it
 * @param resourceVersion 0 if it is missing or not a number
 */
public record ObjectMeta(String name, String namespace, String uid, String stamp, long resourceVersion) {

    /**
     * The maximum number of digits of a resourceVersion. Every number with this many digits fits into a {@code long}. A
     * resourceVersion is a revision of etcd. Revisions begin at 1 and increase by one, so they never have more digits.
     */
    private static final int MOST_DIGITS = 18;

    /**
     * Returns {@code namespace/name}. Returns the name alone if there is no namespace, and an empty text if there is no
     * name.
     */
    public String fullName() {
        return name.isEmpty() ? "" : namespace.isEmpty() ? name : namespace + "/" + name;
    }

    /** Decodes the metadata of the object at the parser's current token. All other fields are skipped. */
    public static ObjectMeta read(JsonParser parser) throws IOException {
        JsonCursor cursor = new JsonCursor(parser);
        ObjectHead head = new ObjectHead(cursor, "");
        cursor.object("object", field -> {
            if (field.equals("metadata")) {
                cursor.object(field, head::stampedMetadata);
            } else {
                cursor.skip();
            }
        });
        return head.meta();
    }

    /** Returns the resourceVersion as a number; 0 if the text is not a number. */
    public static long version(String text) {
        boolean number =
                !text.isEmpty() && text.length() <= MOST_DIGITS && text.chars().allMatch(c -> c >= '0' && c <= '9');
        return number ? Long.parseLong(text) : 0;
    }
}
