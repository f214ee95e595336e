package dev.sluice.config;

import dev.sluice.text.EditDistance;
import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the known key that a user probably meant. */
final class NearestKey {

    private NearestKey() {}

    /**
     * Returns the known key with the fewest edits, if there are few enough. Case, dashes and underscores do not count.
     */
    static Optional<String> to(String written, Collection<String> known) {
        String wanted = folded(written);
        return known.stream()
                .filter(key -> edits(wanted, key) <= mostEdits(key))
                .min(Comparator.comparingInt(key -> edits(wanted, key)));
    }

    /** Returns the maximum number of edits for a key. With more edits, a short key would become another word. */
    private static int mostEdits(String key) {
        return Math.max(1, key.length() / 3);
    }

    /**
     * Returns the number of edits. A text that is much longer than the key is no misspelling of it; the check also
     * saves the time for very long texts.
     */
    private static int edits(String wanted, String key) {
        String known = folded(key);
        return wanted.length() > 2 * known.length() ? Integer.MAX_VALUE : EditDistance.between(wanted, known);
    }

    private static String folded(String key) {
        return key.replace("-", "").replace("_", "").toLowerCase(Locale.ROOT);
    }
}
