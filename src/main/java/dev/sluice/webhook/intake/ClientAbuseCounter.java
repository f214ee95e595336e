package dev.sluice.webhook.intake;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts how often each {@link ClientAbuseCause} has occurred since the start. It is thread-safe. */
public final class ClientAbuseCounter {

    private final Map<ClientAbuseCause, LongAdder> counts = new ConcurrentHashMap<>();

    public void add(ClientAbuseCause cause) {
        counter(cause).increment();
    }

    public long count(ClientAbuseCause cause) {
        return counter(cause).sum();
    }

    private LongAdder counter(ClientAbuseCause cause) {
        return counts.computeIfAbsent(cause, _ -> new LongAdder());
    }
}
