package dev.sluice.it;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * Pods that several writers create through the API server, until they end or there is nothing left, with what each was
 * answered and how long that took.
 */
final class TimedPods {

    private static final int WRITERS = 10;
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int CREATED = 201;
    private static final int EXHAUSTED = 403;
    private static final long AFTER_A_REFUSAL_NANOS = Duration.ofMillis(100).toNanos();

    private final Cluster cluster;
    private final String namespace;
    private final String device;
    private final Duration pause;
    private final AtomicInteger names = new AtomicInteger();
    private final Queue<Answered> answered = new ConcurrentLinkedQueue<>();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final List<Thread> writers;
    private volatile boolean ending;

    /** One answer of the API server; the times are those of {@link System#nanoTime}. */
    record Answered(String name, int status, String message, long begin, long end) {
        Duration took() {
            return Duration.ofNanos(end - begin);
        }

        boolean isCreated() {
            return status == CREATED;
        }

        /** Returns true if the gateway denied the pod, and nobody else did. */
        boolean isDenied() {
            return status == EXHAUSTED && message.contains(" is free (0 of ");
        }
    }

    private TimedPods(Cluster cluster, String namespace, String device, int writers, Duration pause) {
        this.cluster = cluster;
        this.namespace = namespace;
        this.device = device;
        this.pause = pause;
        this.writers = IntStream.range(0, writers)
                .mapToObj(_ -> Thread.ofVirtual().start(this::write))
                .toList();
    }

    /**
     * Creates pods in a burst: each writer creates the next pod as soon as the last one was answered, and ends when one
     * is denied.
     */
    static TimedPods burst(Cluster cluster, String namespace, String device) {
        return new TimedPods(cluster, namespace, device, WRITERS, Duration.ZERO);
    }

    /** Creates pods at a steady rate. Each pod is deleted when it was answered, so its devices are never used up. */
    static TimedPods steady(Cluster cluster, String namespace, String device, int writers, Duration pause) {
        return new TimedPods(cluster, namespace, device, writers, pause);
    }

    private void write() {
        while (!ending) {
            String name = "timed-" + names.getAndIncrement();
            long begin = System.nanoTime();
            try {
                Api.Answer answer = cluster.create(Pods.asking(name, device), namespace);
                Answered one = new Answered(
                        name,
                        answer.status(),
                        answer.status() == CREATED ? "" : answer.message(),
                        begin,
                        System.nanoTime());
                answered.add(one);
                if (one.isDenied()) {
                    return;
                }
                if (!one.isCreated()) {
                    LockSupport.parkNanos(AFTER_A_REFUSAL_NANOS);
                } else if (!pause.isZero()) {
                    cluster.delete(namespace, name);
                }
            } catch (Exception failed) {
                failures.add(failed.toString());
            }
            LockSupport.parkNanos(pause.toNanos());
        }
    }

    /** Waits for more answers, so that what has just been done is met by some. */
    void more(int count) {
        int goal = answered.size() + count;
        Eventually.within(
                PATIENCE,
                "more pods were answered",
                () -> answered.size() >= goal || writers.stream().noneMatch(Thread::isAlive));
    }

    /** Returns all answers, in the order in which they came. */
    List<Answered> answered() {
        List<Answered> all = new ArrayList<>(answered);
        all.sort(Comparator.comparingLong(Answered::end));
        return all;
    }

    List<Answered> answered(Predicate<Answered> wanted) {
        return answered().stream().filter(wanted).toList();
    }

    /** Returns the longest time of an answer since then. */
    Duration longestSince(long moment) {
        return answered.stream()
                .filter(each -> each.end > moment)
                .map(Answered::took)
                .max(Comparator.naturalOrder())
                .orElse(Duration.ZERO);
    }

    /** Returns the errors that came instead of answers. */
    List<String> failures() {
        return List.copyOf(failures);
    }

    /** Waits until each writer was denied. */
    void awaitExhausted(Duration patience) {
        Eventually.within(
                patience, "each writer was denied", () -> writers.stream().noneMatch(Thread::isAlive));
    }

    void end() throws InterruptedException {
        ending = true;
        for (Thread writer : writers) {
            writer.join();
        }
    }
}
