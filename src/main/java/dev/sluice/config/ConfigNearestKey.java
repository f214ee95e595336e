package dev.sluice.config;

import dev.sluice.text.EditDistance;
import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the known key that a user probably meant by an unknown key. */
public final class ConfigNearestKey {

    private ConfigNearestKey() {}

    /**
     * Returns the known key that differs from the written key by the fewest edits. Returns empty if every known key
     * differs by too many edits. Upper case, dashes and underscores are ignored.
     */
    public static Optional<String> to(String written, Collection<String> known) {
        String wanted = folded(written);
        return known.stream()
                .filter(key -> edits(wanted, key) <= mostEdits(key))
                .min(Comparator.comparingInt(key -> edits(wanted, key)));
    }

    /**
     * Returns the maximum number of edits for a key. Short keys permit fewer edits, because a few edits turn a short
     * word into another word.
     */
    private static int mostEdits(String key) {
        return Math.max(1, key.length() / 3);
    }

    /**
     * Returns the number of edits that turn the text into the key. Returns {@link Integer#MAX_VALUE} for a text that is
     * much longer than the key, because such a text is no misspelling, and a comparison would take long.
     */
    private static int edits(String wanted, String key) {
        String known = folded(key);
        return wanted.length() > 2 * known.length() ? Integer.MAX_VALUE : EditDistance.between(wanted, known);
    }

    private static String folded(String key) {
        return key.replace("-", "").replace("_", "").toLowerCase(Locale.ROOT);
    }
}
