package dev.sluice.admission.patch;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A path to a value in a JSON document (RFC 6901). */
public final class JsonPointer {

    private static final JsonPointer ROOT = new JsonPointer(null, "");

    private final @Nullable JsonPointer parent;
    private final String key;
    private final int hash;
    /**
     * The result of {@link #text()}; null before its first call. No lock is needed, because all threads compute equal
     * texts.
     */
    private @Nullable String text;

    private JsonPointer(@Nullable JsonPointer parent, String key) {
        this.parent = parent;
        this.key = key;
        this.hash = 31 * Objects.hashCode(parent) + key.hashCode();
    }

    static JsonPointer of(String... keys) {
        JsonPointer pointer = ROOT;
        for (String key : keys) {
            pointer = pointer.child(key);
        }
        return pointer;
    }

    JsonPointer child(String key) {
        return new JsonPointer(this, key);
    }

    private static String escaped(String key) {
        String tildes = key.indexOf('~') < 0 ? key : key.replace("~", "~0");
        return tildes.indexOf('/') < 0 ? tildes : tildes.replace("/", "~1");
    }

    /** Returns the pointer to the object that contains the last key. Returns null for the root. */
    @Nullable
    JsonPointer parent() {
        return parent;
    }

    /** Returns the last key, without the escapes of a JSON pointer. */
    public String lastKey() {
        return key;
    }

    /** Returns the pointer in the form that a JSON patch contains, with escaped keys. */
    public String text() {
        String made = text;
        if (made == null) {
            made = parent == null ? "" : parent.text() + '/' + escaped(key);
            text = made;
        }
        return made;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || (other instanceof JsonPointer that
                        && hash == that.hash
                        && key.equals(that.key)
                        && Objects.equals(parent, that.parent));
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return text();
    }
}
