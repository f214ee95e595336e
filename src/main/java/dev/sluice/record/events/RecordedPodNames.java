package dev.sluice.record.events;

import dev.sluice.record.RecordedReviewHead;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * The names of pods about which a decision was made. A name is kept until the watch has reported the pod. Pods with the
 * same {@code generateName} share one entry, because their full names are generated after the decision. It is not
 * thread-safe.
 */
final class RecordedPodNames {

    /**
     * The maximum number of names. A name is kept for about a minute, and the pods of one controller share an entry.
     */
    static final int MOST = 8_192;

    private final Map<String, Instant> names = new HashMap<>();
    private final Duration longestCreate;

    RecordedPodNames(Duration longestCreate) {
        this.longestCreate = longestCreate;
    }

    /** Adds the pod of a decision. Returns false if there are too many names. */
    boolean add(RecordedReviewHead head, Instant decided) {
        String key = head.podKey();
        if (names.size() >= MOST && !names.containsKey(key)) {
            return false;
        }
        names.put(key, decided);
        return true;
    }

    /** Returns true if there may have been a decision about the pod with this namespace and name. */
    boolean contains(String fullName) {
        return names.containsKey(fullName) || names.containsKey(RecordedReviewHead.generatedKey(fullName));
    }

    /**
     * Removes the names of pods that the watch must have reported by now.
     *
     * @param moment the time before which the watch has reported every pod that was stored
     */
    void seenUpTo(Instant moment) {
        names.values().removeIf(decided -> decided.plus(longestCreate).isBefore(moment));
    }
}
