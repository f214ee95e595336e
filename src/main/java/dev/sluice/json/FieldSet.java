package dev.sluice.json;

import java.io.IOException;
import java.util.List;

/** Tracks which of the known fields an object has had. */
public final class FieldSet {

    private final JsonCursor cursor;
    private final String place;
    private final List<String> names;
    private int seen;

    /**
     * At most 32 names.
     *
     * @param place what stands before the name of a field in a problem with it
     */
    public FieldSet(JsonCursor cursor, String place, List<String> names) {
        this.cursor = cursor;
        this.place = place;
        this.names = names;
    }

    /**
     * Skips an unknown field, and reports a known one that stands twice: readers differ in which of two equal fields
     * they believe, and the API server takes the last. A wrong answer would be worse than none.
     */
    public boolean isToBeRead(String field) throws IOException {
        if (!names.contains(field)) {
            cursor.skip();
            return false;
        }
        if (has(field)) {
            cursor.report(place + field + " stands twice");
        }
        seen |= 1 << names.indexOf(field);
        return true;
    }

    public boolean has(String field) {
        return (seen & 1 << names.indexOf(field)) != 0;
    }
}
