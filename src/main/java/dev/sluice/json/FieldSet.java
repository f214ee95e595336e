package dev.sluice.json;

import java.util.List;

/** Which of the fields that are read have stood in an object already. Of all others nothing is kept. */
public final class FieldSet {

    private final List<String> names;
    private int seen;

    /** At most 32 names. */
    public FieldSet(List<String> names) {
        this.names = names;
    }

    /** The field is one of those that are read. */
    public boolean isRead(String field) {
        return names.contains(field);
    }

    /** True when a field that is read comes for the first time. */
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
