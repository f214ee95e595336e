package dev.sluice.admission;

/** A place in a JSON document (RFC 6901), as text with its escapes. */
public record JsonPointer(String text) {

    static JsonPointer of(String... keys) {
        JsonPointer pointer = new JsonPointer("");
        for (String key : keys) {
            pointer = pointer.child(key);
        }
        return pointer;
    }

    JsonPointer child(String key) {
        return new JsonPointer(text + '/' + escaped(key));
    }

    private static String escaped(String key) {
        String tildes = key.indexOf('~') < 0 ? key : key.replace("~", "~0");
        return tildes.indexOf('/') < 0 ? tildes : tildes.replace("/", "~1");
    }

    /** The last key, without escapes. */
    String lastKey() {
        return unescaped(text.substring(text.lastIndexOf('/') + 1));
    }

    /** The keys from the root down, without escapes. */
    public String[] keys() {
        String[] keys = text.substring(1).split("/", -1);
        for (int i = 0; i < keys.length; i++) {
            keys[i] = unescaped(keys[i]);
        }
        return keys;
    }

    private static String unescaped(String key) {
        return key.indexOf('~') < 0 ? key : key.replace("~1", "/").replace("~0", "~");
    }

    @Override
    public String toString() {
        return text;
    }
}
