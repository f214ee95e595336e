package dev.sluice.json;

import java.io.IOException;
import java.util.List;

/** Tracks which of the known fields of a JSON object have been read, in order to find duplicate fields. */
public final class JsonFieldSet {

    private final JsonCursor cursor;
    private final Object prefix;
    private final List<String> names;
    private int seen;

    /**
     * Creates the set for one object.
     *
     * @param prefix the text that precedes the name of a field in messages about that field
     * @param names the names of the known fields, at most 32
     */
    public JsonFieldSet(JsonCursor cursor, Object prefix, List<String> names) {
        this.cursor = cursor;
        this.prefix = prefix;
        this.names = names;
    }

    /**
     * Returns true if the field is known, and the caller must then read its value. If the field is unknown, skips it
     * and returns false. A known field that occurs a second time is reported as a problem, because the API server uses
     * the second value, but other JSON readers may use the first.
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
