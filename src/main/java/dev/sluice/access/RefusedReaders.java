package dev.sluice.access;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts the requests that were not let in, by why. For all threads. */
public final class RefusedReaders {

    private final Map<AccessRefusal, LongAdder> counts = new ConcurrentHashMap<>();

    public void add(AccessRefusal refusal) {
        counter(refusal).increment();
    }

    public long count(AccessRefusal refusal) {
        return counter(refusal).sum();
    }

    private LongAdder counter(AccessRefusal refusal) {
        return counts.computeIfAbsent(refusal, _ -> new LongAdder());
    }
}
