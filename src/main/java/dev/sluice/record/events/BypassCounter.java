package dev.sluice.record.events;

import dev.sluice.record.BypassCounts;
import dev.sluice.record.BypassCounts.BypassKey;
import dev.sluice.record.BypassedPod;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Counts, by namespace and cause, the pods that bypassed the gateway, and keeps the newest of them. It is not
 * thread-safe.
 */
final class BypassCounter {

    /**
     * The maximum number of namespaces that are counted separately. Without this limit, a user who may create
     * namespaces could create any number of metric series.
     */
    static final int MOST_NAMESPACES = 100;

    static final int MOST_KEPT = 100;

    private final Map<BypassKey, Long> counts = new HashMap<>();
    private final Set<String> namespaces = new HashSet<>();
    private final Deque<BypassedPod> newest = new ArrayDeque<>();

    /** Counts a pod, and returns the key under which it was counted. */
    BypassKey count(BypassedPod pod) {
        boolean known = namespaces.contains(pod.namespace())
                || (namespaces.size() < MOST_NAMESPACES && namespaces.add(pod.namespace()));
        BypassKey key = new BypassKey(known ? pod.namespace() : BypassCounts.OTHERS, pod.cause());
        counts.merge(key, 1L, Long::sum);
        newest.addFirst(pod);
        if (newest.size() > MOST_KEPT) {
            newest.removeLast();
        }
        return key;
    }

    BypassCounts report(Optional<Instant> completeSince) {
        List<BypassedPod> last = new ArrayList<>(newest);
        return new BypassCounts(completeSince, counts, last);
    }
}
