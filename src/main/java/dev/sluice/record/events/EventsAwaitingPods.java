package dev.sluice.record.events;

import dev.sluice.admission.request.PodRequestReplacement;
import dev.sluice.cluster.Pod;
import dev.sluice.record.DecisionRecord;
import dev.sluice.record.RecordedReviewHead;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Keeps decisions until the watch reports their pods. The key of a decision is the stamp annotation that the decision
 * wrote to the pod. Without a stamp, the key is the namespace and name of the pod. The gateway does not know the full
 * name of a pod with {@code generateName}, so decisions about pods with the same {@code generateName} share a key. It
 * is not thread-safe.
 */
final class EventsAwaitingPods {

    /** The maximum number of keys. A decision takes less than 1 KiB in most cases, and at most 15 KiB. */
    private static final int MOST_NAMES = 1_024;

    /**
     * The maximum number of decisions with one key. Only one of several equal decisions is kept. Pods of one controller
     * get different decisions only if the cluster or the policy changes in the meantime.
     */
    private static final int MOST_DECISIONS = 8;

    /**
     * The maximum number of pods for which the decisions of one key are returned. A controller may create hundreds of
     * pods, and each returned pod is then read from the API server.
     */
    private static final int MOST_SEEN = 4_096;

    /**
     * The time for which a decision is kept. This is longer than the API server's time limit for a request, within
     * which a pod is stored.
     */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Map<String, AwaitedName> names = new HashMap<>();
    private final Runnable dropped;

    /**
     * Creates an object without decisions.
     *
     * @param dropped a callback for each decision that is removed or not accepted because there are too many
     */
    EventsAwaitingPods(Runnable dropped) {
        this.dropped = dropped;
    }

    /** A pod that the watch has reported, and the decisions that may have been about it, the oldest first. */
    record Sighting(String namespace, String name, List<DecisionRecord> decisions) {}

    private final class AwaitedName {
        private final List<DecisionRecord> decisions = new ArrayList<>();
        private final Set<String> seen = new HashSet<>();
        private Instant until = Instant.MIN;

        void add(DecisionRecord decision) {
            decisions.removeIf(other -> other.kind() == decision.kind()
                    && other.reason() == decision.reason()
                    && PodRequestReplacement.annotation(other.moves())
                            .equals(PodRequestReplacement.annotation(decision.moves()))
                    && other.stamp().equals(decision.stamp()));
            if (decisions.size() == MOST_DECISIONS) {
                decisions.removeFirst();
                dropped.run();
            }
            decisions.add(decision);
        }
    }

    /** Adds a decision. Returns false, and does not add it, if there are too many keys. */
    boolean add(DecisionRecord decision, Instant now) {
        String key = decision.stamp().isEmpty() ? decision.pod().head().podKey() : stampKey(decision.stamp());
        if (names.size() >= MOST_NAMES && !names.containsKey(key)) {
            dropped.run();
            return false;
        }
        AwaitedName name = names.computeIfAbsent(key, _ -> new AwaitedName());
        name.add(decision);
        name.until = now.plus(PATIENCE);
        return true;
    }

    /** Returns the key for decisions with this stamp. The key contains a blank, so it cannot be the name of a pod. */
    private static String stampKey(String stamp) {
        return "stamp " + stamp;
    }

    /**
     * Returns the decisions that may have been about this pod. Returns empty if this method has already returned
     * decisions for the pod, or if there are none.
     */
    Optional<Sighting> seen(Pod pod) {
        return names.isEmpty()
                ? Optional.empty()
                : sighting(pod, pod.stamp().isEmpty() ? null : names.get(stampKey(pod.stamp())))
                        .or(() -> sighting(pod, names.get(pod.name())))
                        .or(() -> sighting(pod, names.get(RecordedReviewHead.generatedKey(pod.name()))));
    }

    private static Optional<Sighting> sighting(Pod pod, @Nullable AwaitedName awaited) {
        if (awaited == null || awaited.seen.size() >= MOST_SEEN || !awaited.seen.add(pod.name())) {
            return Optional.empty();
        }
        String name = pod.name().substring(pod.name().indexOf('/') + 1);
        return Optional.of(new Sighting(pod.namespace(), name, List.copyOf(awaited.decisions)));
    }

    /** Removes the decisions whose pods can no longer be created. */
    void sweep(Instant now) {
        names.values().removeIf(name -> name.until.isBefore(now));
    }
}
