package dev.sluice.connection;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** How often each cause occurred since the start. For all threads. */
public final class Causes {

    private final Map<Cause, LongAdder> counts = new EnumMap<>(Cause.class);

    public Causes() {
        for (Cause cause : Cause.values()) {
            counts.put(cause, new LongAdder());
        }
    }

    public void add(Cause cause) {
        counter(cause).increment();
    }

    public long count(Cause cause) {
        return counter(cause).sum();
    }

    /** The map holds every cause and does not change after the constructor, so that threads may share it. */
    private LongAdder counter(Cause cause) {
        LongAdder counter = counts.get(cause);
        if (counter == null) {
            throw new IllegalStateException("no counter for " + cause);
        }
        return counter;
    }
}
