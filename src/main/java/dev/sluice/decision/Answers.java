package dev.sluice.decision;

import dev.sluice.admission.Verdict;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/** Answers that were given for pods not seen yet, for calls that are repeated and pods that come again. */
final class Answers {

    /** Beyond so many, those whose pods were seen meanwhile are thrown out. */
    private static final int SWEEP_AT = 1_024;

    /**
     * One answer.
     *
     * @param room whether the pod was promised room
     */
    record Given(String uid, String namespace, String podName, String stamp, Verdict verdict, boolean room) {}

    private final Map<String, Given> byUid = new LinkedHashMap<>();
    private final Map<String, Given> byStamp = new LinkedHashMap<>();
    private final BiPredicate<String, String> awaited;
    private int sweepAt = SWEEP_AT;

    /**
     * {@code awaited} tells of a stamp and its namespace whether a pod with it may still be seen for the first time.
     */
    Answers(BiPredicate<String, String> awaited) {
        this.awaited = awaited;
    }

    void add(Given given) {
        byUid.put(given.uid(), given);
        byStamp.put(given.stamp(), given);
        if (byStamp.size() > sweepAt) {
            byUid.values().removeIf(old -> !isAwaited(old));
            byStamp.values().removeIf(old -> !isAwaited(old));
            sweepAt = Math.max(SWEEP_AT, 2 * byStamp.size());
        }
    }

    /** The API server repeats a call of which it got no answer. */
    Optional<Given> repeated(String uid, String namespace, String podName) {
        return Optional.ofNullable(byUid.get(uid)).filter(given -> isFor(given, namespace, podName));
    }

    /** The pod bears a stamp that was given for it in the same request: others have changed it since. */
    Optional<Given> reinvoked(@Nullable String stamp, String namespace, String podName) {
        return stamp == null
                ? Optional.empty()
                : Optional.ofNullable(byStamp.get(stamp)).filter(given -> isFor(given, namespace, podName));
    }

    private boolean isFor(Given given, String namespace, String podName) {
        return given.namespace().equals(namespace) && given.podName().equals(podName) && isAwaited(given);
    }

    private boolean isAwaited(Given given) {
        return awaited.test(given.stamp(), given.namespace());
    }
}
