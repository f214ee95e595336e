package dev.sluice.kube.watch;

import dev.sluice.kube.client.ApiServerListPager;
import java.time.Duration;

/**
 * The timeouts and intervals of a reflector.
 *
 * @param watchDuration the duration of a watch that is requested from the API server
 */
record ReflectorTimings(
        ReadTimeouts timeouts,
        Duration watchDuration,
        BackoffLimits backoff,
        FreshnessChecks freshness,
        OptionalPods optionalPods) {

    /**
     * The maximum times without data after which a connection is considered dead.
     *
     * @param response the maximum time until a watch begins or a read is answered
     * @param watchIdle the maximum time between two events or bookmarks of a watch
     */
    record ReadTimeouts(Duration response, ApiServerListPager.ListTimeouts list, Duration watchIdle) {}

    /**
     * The times after which a failed request is retried.
     *
     * @param initial the time before the first retry; each further retry waits twice as long, up to {@code max}
     * @param max the maximum time before a retry
     * @param initialForbidden like {@code initial}, but for optional pods that the account may not list
     * @param maxForbidden like {@code max}, but for optional pods that the account may not list
     */
    record BackoffLimits(Duration initial, Duration max, Duration initialForbidden, Duration maxForbidden) {}

    /**
     * The times for the proofs that the received state is current.
     *
     * @param readInterval the time between two reads of the current resourceVersion
     * @param relistAfter the age of the last proof after which the objects are listed again
     */
    record FreshnessChecks(Duration readInterval, Duration relistAfter) {}

    /**
     * Determines when the pods are listed if the gateway can work without them. They are listed after the nodes, at the
     * end of the first interval with few reviews.
     *
     * @param mostIntervals the number of intervals after which the pods are listed even if there were many reviews in
     *     each
     */
    record OptionalPods(Duration interval, int mostIntervals) {}

    /**
     * The maximum age of a proof that the state is current. Without a newer proof the gateway makes no decisions.
     *
     * <p>The limit is the sum of these times:
     *
     * <ul>
     *   <li>5 s until a read of the resourceVersion is answered: 4 s between two reads, and up to 1 s for a read.
     *   <li>10 s, rounded up, until the next bookmark, which confirms the read: a watch lasts 8 s, and kube-apiserver
     *       sends a bookmark 2 s before the end of each watch, up to 1.25 s late (cache_watcher.go nextBookmarkTime,
     *       cacher.go watcherBookmarkTimeBuckets and dispatchEvents).
     *   <li>9 s if one watch loses its connection just before its bookmark: a backoff of 1 s, and 8 s until the
     *       bookmark of the next watch.
     *   <li>6 s as a reserve for busy machines.
     * </ul>
     */
    static final Duration FRESHNESS_LIMIT = Duration.ofSeconds(30);

    private static final Duration LONGER = Duration.ofSeconds(22);

    /**
     * The values in production:
     *
     * <ul>
     *   <li>A watch that is silent for 2 s longer than its requested duration has lost its connection. The API server
     *       begins to answer a watch or a read at once, sends a page of 500 objects within seconds, and aborts a list
     *       after 60 s.
     *   <li>The maximum backoff is one second, so the gateway continues at most a second after the API server is back.
     *       A few replicas that retry once a second are no load for the API server.
     *   <li>The first retries after a 403 follow soon, because an API server that is starting answers every request
     *       with 403.
     *   <li>The objects are listed again when one bookmark and one read have failed to prove that the state is current.
     *       The reflector checks this between two watches, at most 24 s after the last proof. The list is then complete
     *       before the limit of 30 s.
     *   <li>Optional pods are listed after at most 15 s. Until then, a Kubernetes Event about a decision has to wait
     *       for its pod, and it waits at most a minute.
     * </ul>
     */
    static final ReflectorTimings DEFAULT = new ReflectorTimings(
            new ReadTimeouts(
                    Duration.ofSeconds(10),
                    new ApiServerListPager.ListTimeouts(Duration.ofSeconds(20), Duration.ofSeconds(60)),
                    Duration.ofSeconds(10)),
            Duration.ofSeconds(8),
            new BackoffLimits(
                    Duration.ofMillis(250), Duration.ofSeconds(1), Duration.ofSeconds(5), Duration.ofMinutes(10)),
            new FreshnessChecks(Duration.ofSeconds(4), Duration.ofSeconds(16)),
            new OptionalPods(Duration.ofSeconds(1), 15));

    /**
     * Returns the timings for objects that are used without a proof that they are current. A watch lasts 30 s, so that
     * it causes few requests to the API server. On the other hand, a lost connection may be noticed only after 32 s.
     */
    ReflectorTimings withLongWatches() {
        return new ReflectorTimings(
                new ReadTimeouts(
                        timeouts.response(),
                        timeouts.list(),
                        timeouts.watchIdle().plus(LONGER)),
                watchDuration.plus(LONGER),
                backoff,
                freshness,
                optionalPods);
    }
}
