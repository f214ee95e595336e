package dev.sluice.it;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * Reviews of pods that reserve something, sent to each replica without a pause but a short one, and not over the
 * Service: so the test sees how long each replica could not have a decision made. The pods never appear, and there is
 * room for all of them.
 */
final class TimedReviews implements AutoCloseable {

    /** What they ask for. Nothing else in a test asks for it. */
    static final String DEVICE = "amd.com/gpu";

    private static final long PAUSE_NANOS = Duration.ofMillis(50).toNanos();

    private final String namespace;
    private final Map<Gateway, Queue<Answered>> answered = new ConcurrentHashMap<>();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean ending;

    /**
     * One answer with a decision, by {@link System#nanoTime}.
     *
     * @param begin when the review was sent
     */
    record Answered(long begin, long end) {
        Duration took() {
            return Duration.ofNanos(end - begin);
        }
    }

    private TimedReviews(List<Gateway> replicas, String namespace) {
        this.namespace = namespace;
        for (Gateway replica : replicas) {
            answered.put(replica, new ConcurrentLinkedQueue<>());
            threads.add(Thread.ofVirtual().start(() -> ask(replica)));
        }
    }

    /** Returns when each replica has answered some reviews. */
    static TimedReviews begin(List<Gateway> replicas, String namespace) {
        TimedReviews begun = new TimedReviews(replicas, namespace);
        Eventually.holds(
                () -> "each replica answers reviews; failures: " + begun.failures,
                () -> begun.answered.values().stream().allMatch(each -> each.size() > 10));
        return begun;
    }

    /** Offers what they ask for, and room for so many pods. */
    static void offer(Cluster cluster) {
        cluster.addNode("for-reviews", Map.of(DEVICE, "1000000", "pods", "1000000"));
    }

    private void ask(Gateway replica) {
        Pod pod = new PodBuilder(Pods.asking("", DEVICE))
                .editMetadata()
                .withName(null)
                .withGenerateName("timed-")
                .endMetadata()
                .build();
        while (!ending) {
            long begin = System.nanoTime();
            try {
                HttpResponse<String> answer = replica.review(pod, namespace);
                if (answer.statusCode() == 200 && answer.body().contains("\"allowed\":true")) {
                    of(replica).add(new Answered(begin, System.nanoTime()));
                } else {
                    failures.add(answer.statusCode() + " " + answer.body());
                }
            } catch (IOException gone) {
                failures.add(gone.toString());
            } catch (InterruptedException stopped) {
                return;
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private Queue<Answered> of(Gateway replica) {
        return Objects.requireNonNull(answered.get(replica));
    }

    private Stream<Answered> of(List<Gateway> replicas) {
        return replicas.stream().flatMap(replica -> of(replica).stream());
    }

    /**
     * Returns the time from that moment to the first decision on a review that was sent to one of these replicas later.
     */
    Duration gapAfter(long moment, List<Gateway> replicas, Duration patience) {
        Eventually.within(
                patience, "a decision", () -> firstSentAfter(moment, replicas).isPresent());
        return Duration.ofNanos(firstSentAfter(moment, replicas).orElseThrow().end - moment);
    }

    /** Returns the longest time between two decisions since then, whichever replica made them. */
    Duration longestPauseSince(long moment) {
        long last = moment;
        long longest = 0;
        for (long end : answered.values().stream()
                .flatMap(Queue::stream)
                .mapToLong(Answered::end)
                .filter(end -> end > moment)
                .sorted()
                .toArray()) {
            longest = Math.max(longest, end - last);
            last = end;
        }
        return Duration.ofNanos(longest);
    }

    private Optional<Answered> firstSentAfter(long moment, List<Gateway> replicas) {
        return of(replicas).filter(each -> each.begin > moment).min(Comparator.comparingLong(Answered::end));
    }

    /** Returns the number of answers. */
    long count() {
        return answered.values().stream().mapToInt(Queue::size).sum();
    }

    /** Returns the answers without a decision, and the errors. */
    List<String> failures() {
        return List.copyOf(failures);
    }

    @Override
    public void close() {
        ending = true;
        threads.forEach(Thread::interrupt);
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
