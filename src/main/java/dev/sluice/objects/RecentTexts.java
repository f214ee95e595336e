package dev.sluice.objects;

import dev.sluice.podspec.InternPool;
import org.jspecify.annotations.Nullable;

/**
 * Lets equal texts share one object where one was met not long ago. Unlike a {@link InternPool} it takes next to no
 * memory for texts that are never met again: each only takes the place of another. Has one owner.
 */
final class RecentTexts {

    /** A power of two; enough for the racks, subnets or instance groups of some ten thousand nodes. */
    private static final int PLACES = 4_096;

    /** Label values have 63 characters at most; with what is longer a few nodes could fill all places with much. */
    private static final int LONGEST = 63;

    private final @Nullable String[] met = new String[PLACES];

    String shared(String text) {
        if (text.length() > LONGEST) {
            return text;
        }
        int hash = text.hashCode();
        int place = (hash ^ hash >>> 16) & (PLACES - 1);
        String there = met[place];
        if (there != null && there.equals(text)) {
            return there;
        }
        met[place] = text;
        return text;
    }
}
