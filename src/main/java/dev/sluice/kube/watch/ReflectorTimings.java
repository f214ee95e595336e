package dev.sluice.kube.watch;

import dev.sluice.kube.client.ListPager;
import java.time.Duration;

/**
 * The timeouts and intervals of a reflector.
 *
 * @param watchDuration how long the API server is asked to keep one watch open
 */
record ReflectorTimings(
        ReadTimeouts timeouts,
        Duration watchDuration,
        BackoffLimits backoff,
        FreshnessChecks freshness,
        OptionalPods optionalPods) {

    /**
     * How long a connection may be silent before it counts as dead.
     *
     * @param response until a watch begins, or a read is answered
     * @param watchIdle between two events or bookmarks of a watch
     */
    record ReadTimeouts(Duration response, ListPager.ListTimeouts list, Duration watchIdle) {}

    /**
     * How soon a failed request is retried.
     *
     * @param initial before the first retry; doubled with each further one, up to {@code max}
     * @param initialForbidden the same for pods that are optional and that the account may not list
     */
    record BackoffLimits(Duration initial, Duration max, Duration initialForbidden, Duration maxForbidden) {}

    /**
     * How freshness is proved.
     *
     * @param readInterval how often the current resourceVersion is read
     * @param relistAfter the age of a proof at which a list replaces it
     */
    record FreshnessChecks(Duration readInterval, Duration relistAfter) {}

    /**
     * When pods that no decision needs are listed, once the nodes are: after the first quiet interval.
     *
     * @param mostIntervals after so many, although none was quiet
     */
    record OptionalPods(Duration interval, int mostIntervals) {}

    /**
     * Nothing is decided by state whose proof is older than this. The limit is a sum: a read is up to 4 s old when the
     * next one begins, and takes 1 s; the bookmark that passes it comes within 8 s, because a watch lasts 8 s and
     * kube-apiserver sends one 2 s before its end, up to 1.25 s late (cache_watcher.go nextBookmarkTime, cacher.go
     * watcherBookmarkTimeBuckets and dispatchEvents): 15 s in all. One watch may be lost with its connection just
     * before its bookmark, which costs 8 s and a backoff of 1 s: 24 s. The rest is for machines that are busy.
     */
    static final Duration FRESHNESS_LIMIT = Duration.ofSeconds(30);

    /**
     * A watch that has been silent for 2 s more than it was to last has lost its connection; the API server begins to
     * answer a watch or a read at once, a page of 500 objects within seconds, and gives up a list after 60 s. The
     * longest backoff keeps a gateway at most a second behind an API server that is back; a few replicas that retry
     * once a second burden nobody. An API server that is just starting forbids everything, so forbidden pods are
     * requested again soon at first. A list is due when every means of proof has failed once. That is noticed between
     * two watches, 24 s after the last proof at the latest, so the list is a proof before the limit. Optional pods are
     * listed after 15 s at the latest, because an Event waits a minute for its pod to be seen.
     */
    static final ReflectorTimings DEFAULT = new ReflectorTimings(
            new ReadTimeouts(
                    Duration.ofSeconds(10),
                    new ListPager.ListTimeouts(Duration.ofSeconds(20), Duration.ofSeconds(60)),
                    Duration.ofSeconds(10)),
            Duration.ofSeconds(8),
            new BackoffLimits(
                    Duration.ofMillis(250), Duration.ofSeconds(1), Duration.ofSeconds(5), Duration.ofMinutes(10)),
            new FreshnessChecks(Duration.ofSeconds(4), Duration.ofSeconds(16)),
            new OptionalPods(Duration.ofSeconds(1), 15));
}
