package dev.sluice.peers;

import dev.sluice.json.JsonCursor;
import dev.sluice.json.JsonFieldSet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads values that must not be {@code null}. A value that is {@code null} is reported as a problem. */
record PeerMessageFields(JsonCursor cursor) {

    String text(String what) throws IOException {
        String text = cursor.text(what);
        if (text == null) {
            cursor.report(what + " is not a string");
            return "";
        }
        return text;
    }

    long number(String what) throws IOException {
        refuseNull(what);
        return cursor.wholeNumber(what);
    }

    /** Reads a number of 32 bits that is not negative. */
    int count(String what) throws IOException {
        refuseNull(what);
        int number = cursor.integer(what);
        if (number < 0) {
            cursor.report(what + " is negative");
        }
        return number;
    }

    boolean truth(String what) throws IOException {
        refuseNull(what);
        return cursor.truth(what);
    }

    private void refuseNull(String what) {
        if (cursor.isNull()) {
            cursor.report(what + " is null");
        }
    }

    List<String> texts(String what) throws IOException {
        List<String> texts = new ArrayList<>();
        cursor.array(what, () -> texts.add(text(what)));
        return texts;
    }

    /** Reads a word that must be one of {@code values}. If the word is unknown, reports a problem and returns null. */
    <T> @Nullable T word(String what, T[] values, Function<T, String> wordOf) throws IOException {
        String word = text(what);
        for (T value : values) {
            if (wordOf.apply(value).equals(word)) {
                return value;
            }
        }
        cursor.report(what + " has an unknown word");
        return null;
    }

    /** Reports a problem if one of these fields is missing. */
    void demand(String what, JsonFieldSet fields, List<String> needed) {
        for (String field : needed) {
            if (!fields.has(field)) {
                cursor.report(what + " has no " + field);
            }
        }
    }
}
