package dev.sluice.cli.offline;

import dev.sluice.cli.console.UserProblem;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.function.Consumer;

/**
 * Sorts events by time. An event of an audit log has the time at which its request began, but is written when the
 * request ends. It can therefore follow events with later times. Each event waits until no earlier event can come. A
 * list of pods is in no order, so all its pods wait until the end of the input.
 */
final class ReplayTimeline {

    /**
     * The maximum time between the beginning of a request and the writing of its event. It is the time limit of the API
     * server for a request that is not a watch.
     */
    private static final Duration LATEST = Duration.ofSeconds(60);

    /** The memory that one pod takes until it is decided, in bytes. */
    private static final long BYTES_OF_ONE = 4 * 1024;

    private record TimelineEntry(ReplayedEvent event, long number) {}

    private static final Comparator<TimelineEntry> IN_ORDER =
            Comparator.comparing((TimelineEntry entry) -> entry.event().at()).thenComparingLong(TimelineEntry::number);

    private final Consumer<ReplayedEvent> next;
    private final long heapBytes;
    private final PriorityQueue<TimelineEntry> waiting = new PriorityQueue<>(IN_ORDER);
    private Instant newest = Instant.MIN;
    private Instant last = Instant.MIN;
    private long number;
    private long late;

    /**
     * @param next a consumer that receives all events, sorted by time
     * @param heapBytes the maximum heap of this process in bytes
     */
    ReplayTimeline(Consumer<ReplayedEvent> next, long heapBytes) {
        this.next = next;
        this.heapBytes = heapBytes;
    }

    /** Returns the maximum number of events that can wait. Together they take at most half of the heap. */
    private long most() {
        return heapBytes / 2 / BYTES_OF_ONE;
    }

    /** Adds an event from an audit log or from a file of records. */
    void addOfLog(ReplayedEvent event) {
        add(event);
        newest = newest.isAfter(event.at()) ? newest : event.at();
        while (!waiting.isEmpty() && (isDue() || waiting.size() > most())) {
            release();
        }
    }

    private boolean isDue() {
        return waiting.element().event().at().isBefore(newest.minus(LATEST));
    }

    /** Adds an event from a list of pods. */
    void addOfList(ReplayedEvent event) throws UserProblem {
        add(event);
        if (waiting.size() > most()) {
            throw new UserProblem("there are more than " + most()
                    + " pods to put in order; allow a larger heap, for example with SLUICE_JAVA_OPTS=-Xmx"
                    + 4 * (heapBytes >> 20) + "m");
        }
    }

    /**
     * Adds the end of a pod. This method releases no waiting events: the end may be in the future, after a grace
     * period, so earlier events may still come.
     */
    void addEnd(ReplayedEvent.PodEnd end) {
        add(end);
    }

    private void add(ReplayedEvent event) {
        waiting.add(new TimelineEntry(event, number++));
    }

    /** Passes all events that still wait to the consumer. */
    void end() {
        while (!waiting.isEmpty()) {
            release();
        }
    }

    private void release() {
        ReplayedEvent event = waiting.remove().event();
        if (event.at().isBefore(last)) {
            late++;
        } else {
            last = event.at();
        }
        next.accept(event);
    }

    /**
     * Returns the number of events that came too late to be sorted, because an event with a later time was already
     * passed on.
     */
    long late() {
        return late;
    }
}
