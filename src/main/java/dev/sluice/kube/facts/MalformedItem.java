package dev.sluice.kube.facts;

import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import dev.sluice.text.ShortText;
import java.io.Serial;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Reports that an object of a list has a field that the API server would not have stored. The message names the field,
 * as in "spec is not a map".
 */
final class MalformedItem extends Exception {

    @Serial
    private static final long serialVersionUID = 1;

    /** The maximum length of a name in a sentence, in characters. A file can contain longer names than a cluster. */
    private static final int LONGEST_NAME = 300;

    MalformedItem(String message) {
        super(message);
    }

    /** Returns the kind and the name of an object, for example {@code Pod team/a}. */
    static String title(String kind, String fullName) {
        return kind + " " + (fullName.isEmpty() ? "without a name" : ShortText.of(fullName, LONGEST_NAME));
    }

    /**
     * Returns a clause that names the field whose type does not fit the record.
     *
     * @param within the field in which the path in the exception begins; empty if the path begins at the object
     */
    static String sentence(JsonMappingException mismatch, String within) {
        StringBuilder path = new StringBuilder(within);
        for (JsonMappingException.Reference part : mismatch.getPath()) {
            if (part.getFieldName() == null) {
                path.append('[').append(part.getIndex()).append(']');
            } else {
                path.append(path.isEmpty() ? "" : ".").append(part.getFieldName());
            }
        }
        return (path.isEmpty() ? "it" : path) + " is not " + wanted(mismatch);
    }

    private static String wanted(JsonMappingException mismatch) {
        @Nullable
        Class<?> type = mismatch instanceof MismatchedInputException input ? input.getTargetType() : Long.class;
        if (type == String.class) {
            return "a string";
        }
        if (type == boolean.class || type == Boolean.class) {
            return "true or false";
        }
        if (type == long.class || type == Long.class) {
            return "a whole number";
        }
        return type != null && Collection.class.isAssignableFrom(type) ? "a list" : "a map";
    }
}
