package dev.sluice.replication;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Random;

/** Time that passes only from event to event, and the dice of one seed. */
final class World {

    private record Event(long at, long number, Runnable what) {}

    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::at).thenComparingLong(Event::number));
    private final Random random;
    private long now;
    private long numbers;

    World(long seed) {
        this.random = new Random(seed);
    }

    long now() {
        return now;
    }

    void in(long millis, Runnable what) {
        events.add(new Event(now + millis, numbers++, what));
    }

    void runUntil(long end) {
        while (!events.isEmpty() && events.peek().at() <= end) {
            Event next = events.remove();
            now = next.at();
            next.what().run();
        }
        now = end;
    }

    /** Returns a number from {@code least} to {@code most}. */
    long between(long least, long most) {
        return least + random.nextLong(most - least + 1);
    }

    boolean happens(double probability) {
        return random.nextDouble() < probability;
    }

    int pick(int bound) {
        return random.nextInt(bound);
    }
}
