package dev.sluice.kube.facts;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Measures processor time in nanoseconds. Only the difference between two measurements is meaningful. */
final class LiveFactsCpuTime {

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /** The prefixes of the names of the threads of the JDK's HTTP client and of fabric8's executor. */
    private static final List<String> HTTP_CLIENTS = List.of("HttpClient-", "EndingHttpClients");

    private LiveFactsCpuTime() {}

    /** Returns the processor time of this thread. */
    static long ofThread() {
        return THREADS.getCurrentThreadCpuTime();
    }

    /**
     * Returns the processor time of each thread of an HTTP client. These threads receive, decrypt and decompress what
     * the API server sends.
     */
    static Map<Long, Long> ofHttpClients() {
        Map<Long, Long> times = new HashMap<>();
        for (@Nullable ThreadInfo thread : THREADS.getThreadInfo(THREADS.getAllThreadIds())) {
            if (thread != null && HTTP_CLIENTS.stream().anyMatch(thread.getThreadName()::startsWith)) {
                times.put(thread.getThreadId(), Math.max(0, THREADS.getThreadCpuTime(thread.getThreadId())));
            }
        }
        return times;
    }

    /** Returns the processor time that the threads of HTTP clients have taken since {@code before}. */
    static long ofHttpClientsSince(Map<Long, Long> before) {
        return ofHttpClients().entrySet().stream()
                .mapToLong(thread -> thread.getValue() - before.getOrDefault(thread.getKey(), 0L))
                .sum();
    }

    /** Returns the time that all garbage collections have taken since the JVM started. */
    static long ofCollections() {
        return TimeUnit.MILLISECONDS.toNanos(ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                .sum());
    }
}
