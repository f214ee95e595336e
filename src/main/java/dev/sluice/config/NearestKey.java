package dev.sluice.config;

import dev.sluice.text.EditDistance;
import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Suggests the known key that a user may have meant. */
final class NearestKey {

    private NearestKey() {}

    /** The known key with the fewest edits, if they are few enough; case, dashes and underscores do not count. */
    static Optional<String> to(String written, Collection<String> known) {
        String wanted = folded(written);
        return known.stream()
                .filter(key -> edits(wanted, key) <= mostEdits(key))
                .min(Comparator.comparingInt(key -> edits(wanted, key)));
    }

    /** With more edits than this, a short key would become another word. */
    private static int mostEdits(String key) {
        return Math.max(1, key.length() / 3);
    }

    /** A text that is much longer than the key is no slip, and may be as long as its author likes. */
    private static int edits(String wanted, String key) {
        String known = folded(key);
        return wanted.length() > 2 * known.length() ? Integer.MAX_VALUE : EditDistance.between(wanted, known);
    }

    private static String folded(String key) {
        return key.replace("-", "").replace("_", "").toLowerCase(Locale.ROOT);
    }
}
