package dev.sluice.json;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Gives the same string for a name that was read before, as most names of fields were. Has one owner. */
public final class FieldNames {

    /** A power of two. Kubernetes has some hundred names; each place holds the newest of those that fall on it. */
    private static final int PLACES = 1024;

    /** Longer ones are keys of labels that users chose. */
    private static final int LONGEST = 64;

    private final @Nullable String[] known = new String[PLACES];

    /** @param text ASCII between the two places */
    String of(byte[] text, int from, int to) {
        int length = to - from;
        if (length > LONGEST) {
            return new String(text, from, length, StandardCharsets.ISO_8859_1);
        }
        int hash = length;
        for (int i = from; i < to; i++) {
            hash = 31 * hash + text[i];
        }
        int place = (hash ^ hash >>> 10) & PLACES - 1;
        String there = known[place];
        if (there != null && isSame(there, text, from, length)) {
            return there;
        }
        String name = new String(text, from, length, StandardCharsets.ISO_8859_1);
        known[place] = name;
        return name;
    }

    private static boolean isSame(String name, byte[] text, int from, int length) {
        if (name.length() != length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (name.charAt(i) != text[from + i]) {
                return false;
            }
        }
        return true;
    }
}
