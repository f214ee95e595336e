package dev.sluice.kube.client;

import com.fasterxml.jackson.core.JsonParser;
import dev.sluice.json.JsonCursor;
import java.io.IOException;

/**
 * Identifies an object and its version.
 *
 * @param stamp the value of the annotation {@link dev.sluice.cluster.Pod#STAMP}; empty without it
 * @param resourceVersion 0 where it is missing or no number
 */
public record ObjectMeta(String name, String namespace, String uid, String stamp, long resourceVersion) {

    /** More digits do not fit a {@code long}; etcd's revisions begin at 1 and rise by one. */
    private static final int MOST_DIGITS = 18;

    /** The name, after the namespace where there is one; empty without a name. */
    public String fullName() {
        return name.isEmpty() ? "" : namespace.isEmpty() ? name : namespace + "/" + name;
    }

    /** The metadata of the object at the parser's current token; everything else is skipped. */
    static ObjectMeta read(JsonParser parser) throws IOException {
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

    static long version(String text) {
        boolean number =
                !text.isEmpty() && text.length() <= MOST_DIGITS && text.chars().allMatch(c -> c >= '0' && c <= '9');
        return number ? Long.parseLong(text) : 0;
    }
}
