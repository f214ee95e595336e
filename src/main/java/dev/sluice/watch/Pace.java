package dev.sluice.watch;

import dev.sluice.kube.transport.ListPager;
import java.time.Duration;

/**
 * How long the reflector waits for what.
 *
 * @param patience with answers
 * @param watch how long the server is asked to keep one watch up
 * @param pauses between two attempts
 * @param proof how what is known is kept current
 */
record Pace(Patience patience, Duration watch, Pauses pauses, Proof proof) {

    /**
     * How long a connection may be silent before it counts as dead.
     *
     * @param answer until a watch begins, or a read is answered
     * @param list as in {@link ListPager}
     * @param event between two events or bookmarks of a watch
     */
    record Patience(Duration answer, ListPager.ListPatience list, Duration event) {}

    /**
     * How soon something that failed is tried again.
     *
     * @param shortest before the first repetition; doubled each time
     * @param longest what the doubling ends at
     * @param shortestWithheld the same for pods that nobody needs, and that the account may not list
     * @param longestWithheld likewise
     */
    record Pauses(Duration shortest, Duration longest, Duration shortestWithheld, Duration longestWithheld) {}

    /**
     * How it is proved that everything has been told.
     *
     * @param betweenReads how often it is asked what the newest version is
     * @param listAfter a proof this old is replaced by a list, where the watch yields none
     */
    record Proof(Duration betweenReads, Duration listAfter) {}

    /**
     * What is known is too old to decide by when its proof is older than this. The sum: a read is up to 4 s old when
     * the next one begins, and takes a second; the bookmark that passes it comes within 8 s, because a watch lasts 8 s
     * and kube-apiserver sends one 2 s before its end, up to 1.25 s late (cache_watcher.go nextBookmarkTime, cacher.go
     * watcherBookmarkTimeBuckets and dispatchEvents): 15 s in all. One watch may be lost with its connection just
     * before its bookmark, which costs 8 s and a pause of 1 s: 24 s. The rest is for machines that are busy.
     */
    static final Duration LIMIT = Duration.ofSeconds(30);

    /**
     * A watch that has been silent for 2 s more than it was to last has lost its connection; the API server begins to
     * answer a watch or a read at once, a page of 500 objects within seconds, and gives up a list after 60 s. The
     * longest pause keeps a gateway at most a second behind a server that is back; a few replicas that knock once a
     * second disturb nobody. An API server that is just starting forbids everything, so pods that are withheld are
     * asked for again soon at first. A list is due when all that should have proved something has failed once. That is
     * noticed between two watches, 24 s after the last proof at the latest, so the list is a proof before the limit.
     */
    static final Pace USUAL = new Pace(
            new Patience(
                    Duration.ofSeconds(10),
                    new ListPager.ListPatience(Duration.ofSeconds(20), Duration.ofSeconds(60)),
                    Duration.ofSeconds(10)),
            Duration.ofSeconds(8),
            new Pauses(Duration.ofMillis(250), Duration.ofSeconds(1), Duration.ofSeconds(5), Duration.ofMinutes(10)),
            new Proof(Duration.ofSeconds(4), Duration.ofSeconds(16)));
}
