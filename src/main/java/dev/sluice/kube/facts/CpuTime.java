package dev.sluice.kube.facts;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.TimeUnit;

/** Measures processor time in nanoseconds. Only the difference between two measurements is meaningful. */
final class CpuTime {

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private CpuTime() {}

    /** Returns the processor time of this thread. */
    static long ofThread() {
        return THREADS.getCurrentThreadCpuTime();
    }

    /** Returns the time of all garbage collections. */
    static long ofCollections() {
        return TimeUnit.MILLISECONDS.toNanos(ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                .sum());
    }
}
