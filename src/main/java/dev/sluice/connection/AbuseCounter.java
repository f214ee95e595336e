package dev.sluice.connection;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Counts each cause of abuse since the start. For all threads. */
public final class AbuseCounter {

    private final Map<AbuseCause, LongAdder> counts = new EnumMap<>(AbuseCause.class);

    public AbuseCounter() {
        for (AbuseCause cause : AbuseCause.values()) {
            counts.put(cause, new LongAdder());
        }
    }

    public void add(AbuseCause cause) {
        counter(cause).increment();
    }

    public long count(AbuseCause cause) {
        return counter(cause).sum();
    }

    /** The map is not changed after the constructor, so that threads may share it. */
    private LongAdder counter(AbuseCause cause) {
        LongAdder counter = counts.get(cause);
        if (counter == null) {
            throw new IllegalStateException("no counter for " + cause);
        }
        return counter;
    }
}
