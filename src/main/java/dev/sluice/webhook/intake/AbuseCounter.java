package dev.sluice.webhook.intake;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts how often each {@link AbuseCause} has occurred since the start. It is thread-safe. */
public final class AbuseCounter {

    private final Map<AbuseCause, LongAdder> counts = new ConcurrentHashMap<>();

    public void add(AbuseCause cause) {
        counter(cause).increment();
    }

    public long count(AbuseCause cause) {
        return counter(cause).sum();
    }

    private LongAdder counter(AbuseCause cause) {
        return counts.computeIfAbsent(cause, _ -> new LongAdder());
    }
}
