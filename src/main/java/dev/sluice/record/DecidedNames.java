package dev.sluice.record;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * The names of pods that were decided about and may not have been seen yet. One of them excuses every pod that may be
 * called so: several pods share a generated name, and it is not known which of them a decision was about. Has one
 * owner.
 */
final class DecidedNames {

    /** A name is kept for about a minute, and the pods of one controller share one. */
    static final int MOST = 8_192;

    private final Map<String, Instant> names = new HashMap<>();
    private final Duration longestCreate;

    DecidedNames(Duration longestCreate) {
        this.longestCreate = longestCreate;
    }

    /** False if there is no room for it. */
    boolean add(ReviewHead head, Instant decided) {
        String key = head.podKey();
        if (names.size() >= MOST && !names.containsKey(key)) {
            return false;
        }
        names.put(key, decided);
        return true;
    }

    /** Whether the pod with this namespace and name may be one that was decided about. */
    boolean contains(String fullName) {
        return names.containsKey(fullName) || names.containsKey(ReviewHead.generatedKey(fullName));
    }

    /** Everything that was stored before this moment has been seen. */
    void seenUpTo(Instant moment) {
        names.values().removeIf(decided -> decided.plus(longestCreate).isBefore(moment));
    }
}
