package dev.sluice.cli.replay;

import dev.sluice.cli.console.UserProblem;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.function.Consumer;

/**
 * Puts what happened into the order of its times. An audit log is nearly in order: an event is written when its request
 * has ended, so it can be as late as a request is long. Such events wait until nothing earlier can come. A list of pods
 * is in no order, so all its pods wait until the end.
 */
final class Timeline {

    /** The time by which an event may be late. The API server ends a request that is not a watch after 60 s. */
    private static final Duration LATEST = Duration.ofSeconds(60);

    /** The memory that one pod takes until it is decided, in bytes. */
    private static final long BYTES_OF_ONE = 4 * 1024;

    private record TimelineEntry(Happening happening, long number) {}

    private static final Comparator<TimelineEntry> IN_ORDER = Comparator.comparing(
                    (TimelineEntry entry) -> entry.happening().at())
            .thenComparingLong(TimelineEntry::number);

    private final Consumer<Happening> next;
    private final long heapBytes;
    private final PriorityQueue<TimelineEntry> waiting = new PriorityQueue<>(IN_ORDER);
    private Instant newest = Instant.MIN;
    private Instant last = Instant.MIN;
    private long number;
    private long late;

    /**
     * @param next receives everything in its order
     * @param heapBytes the memory of this process
     */
    Timeline(Consumer<Happening> next, long heapBytes) {
        this.next = next;
        this.heapBytes = heapBytes;
    }

    /** Returns how many can wait: they take half of the memory. */
    private long most() {
        return heapBytes / 2 / BYTES_OF_ONE;
    }

    /** Adds something of an audit log or of a file of records. */
    void addOfLog(Happening happening) {
        add(happening);
        newest = newest.isAfter(happening.at()) ? newest : happening.at();
        while (!waiting.isEmpty() && (isDue() || waiting.size() > most())) {
            release();
        }
    }

    private boolean isDue() {
        return waiting.element().happening().at().isBefore(newest.minus(LATEST));
    }

    /** Adds something of a list of pods. */
    void addOfList(Happening happening) throws UserProblem {
        add(happening);
        if (waiting.size() > most()) {
            throw new UserProblem("there are more than " + most()
                    + " pods to put in order; allow a larger heap, for example with SLUICE_JAVA_OPTS=-Xmx"
                    + 4 * (heapBytes >> 20) + "m");
        }
    }

    /** Adds the end of a pod, which may be in the future. */
    void addEnd(Happening.PodEnd end) {
        add(end);
    }

    private void add(Happening happening) {
        waiting.add(new TimelineEntry(happening, number++));
    }

    /** Hands on everything that still waits. */
    void end() {
        while (!waiting.isEmpty()) {
            release();
        }
    }

    private void release() {
        Happening happening = waiting.remove().happening();
        if (happening.at().isBefore(last)) {
            late++;
        } else {
            last = happening.at();
        }
        next.accept(happening);
    }

    /** Returns how many came too late for their order. They were handed on when they came. */
    long late() {
        return late;
    }
}
