package dev.sluice.objects;

import dev.sluice.podspec.InternPool;
import org.jspecify.annotations.Nullable;

/**
 * Interns strings that were seen recently. Unlike an {@link InternPool} it keeps a fixed number of them: each replaces
 * another. Has one owner.
 */
final class LabelValueCache {

    /** A power of two; enough for the racks, subnets or instance groups of some ten thousand nodes. */
    private static final int SLOTS = 4_096;

    /** Label values have 63 characters at most; longer strings could take much memory. */
    private static final int MAX_LENGTH = 63;

    private final @Nullable String[] cached = new String[SLOTS];

    String intern(String text) {
        if (text.length() > MAX_LENGTH) {
            return text;
        }
        int hash = text.hashCode();
        int place = (hash ^ hash >>> 16) & (SLOTS - 1);
        String there = cached[place];
        if (there != null && there.equals(text)) {
            return there;
        }
        cached[place] = text;
        return text;
    }
}
