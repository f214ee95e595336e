package dev.sluice.json;

import java.io.IOException;
import java.util.List;

/** Tracks which of the known fields an object has had. */
public final class FieldSet {

    private final JsonCursor cursor;
    private final Object prefix;
    private final List<String> names;
    private int seen;

    /**
     * At most 32 names.
     *
     * @param prefix what stands before the name of a field in a problem with it
     */
    public FieldSet(JsonCursor cursor, Object prefix, List<String> names) {
        this.cursor = cursor;
        this.prefix = prefix;
        this.names = names;
    }

    /**
     * Skips an unknown field, and reports a known one that stands twice: readers differ in which of two equal fields
     * they believe, and the API server takes the last. A wrong answer would be worse than none.
     */
    public boolean isToBeRead(String field) throws IOException {
        int place = names.indexOf(field);
        if (place < 0) {
            cursor.skip();
            return false;
        }
        int bit = 1 << place;
        if ((seen & bit) != 0) {
            cursor.report(prefix + field + " stands twice");
        }
        seen |= bit;
        return true;
    }

    public boolean has(String field) {
        return (seen & 1 << names.indexOf(field)) != 0;
    }
}
