package dev.sluice.it;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/**
 * How a good client was served.
 *
 * @param windows by parts of the time, what each review that was answered rightly took, in nanoseconds
 * @param failures a sentence for each review that was not
 */
record Served(List<List<Long>> windows, List<String> failures) {

    /**
     * For so long a review may hold an event loop at most. Attackers, good client and gateway share the processors of
     * one machine, so what is shorter says nothing about the gateway.
     */
    static final Duration FLOOR = Duration.ofMillis(50);

    Served {
        windows = windows.stream().map(List::copyOf).toList();
        failures = List.copyOf(failures);
    }

    int count() {
        return windows.stream().mapToInt(List::size).sum();
    }

    /** Of each part of the time the slowest review but one in a hundred; of these the one in the middle. */
    Duration p99() {
        return middleOf(
                windows.stream().filter(window -> !window.isEmpty()).mapToLong(window -> percentile(window, 99)));
    }

    /** The same of the review in the middle. */
    Duration median() {
        return middleOf(
                windows.stream().filter(window -> !window.isEmpty()).mapToLong(window -> percentile(window, 50)));
    }

    Duration slowest() {
        return Duration.ofNanos(windows.stream()
                .flatMap(List::stream)
                .mapToLong(Long::longValue)
                .max()
                .orElse(0));
    }

    /**
     * The most that somebody may wait beside an attack who was served so in quiet before, and as {@code after} then.
     */
    Duration twice(Served after) {
        Duration slower = p99().compareTo(after.p99()) > 0 ? p99() : after.p99();
        Duration twice = slower.multipliedBy(2);
        return twice.compareTo(FLOOR) > 0 ? twice : FLOOR;
    }

    private static Duration middleOf(LongStream figures) {
        long[] sorted = figures.sorted().toArray();
        return Duration.ofNanos(sorted.length == 0 ? 0 : sorted[sorted.length / 2]);
    }

    private static long percentile(List<Long> window, int percent) {
        List<Long> sorted = new ArrayList<>(window);
        sorted.sort(null);
        return sorted.get(Math.min(sorted.size() - 1, sorted.size() * percent / 100));
    }

    @Override
    public String toString() {
        return "%d reviews, median %d us, p99 %d us, slowest %d us, %d failed%s"
                .formatted(
                        count(),
                        median().toNanos() / 1000,
                        p99().toNanos() / 1000,
                        slowest().toNanos() / 1000,
                        failures.size(),
                        failures.isEmpty() ? "" : ", the first: " + failures.getFirst());
    }
}
