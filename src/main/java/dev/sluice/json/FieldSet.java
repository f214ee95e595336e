package dev.sluice.json;

import java.util.List;

/** Tracks which of the known fields an object has had. */
public final class FieldSet {

    private final List<String> names;
    private int seen;

    /** At most 32 names. */
    public FieldSet(List<String> names) {
        this.names = names;
    }

    public boolean isRead(String field) {
        return names.contains(field);
    }

    /** Adds a known field; true when it is the first of its name. */
    public boolean isFirst(String field) {
        int bit = 1 << names.indexOf(field);
        boolean first = (seen & bit) == 0;
        seen |= bit;
        return first;
    }

    public boolean has(String field) {
        return (seen & 1 << names.indexOf(field)) != 0;
    }
}
