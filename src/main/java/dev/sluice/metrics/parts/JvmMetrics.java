package dev.sluice.metrics.parts;

import dev.sluice.metrics.MetricFamilies;
import dev.sluice.metrics.MetricName;
import dev.sluice.metrics.MetricValue.Distribution;
import io.netty.util.internal.PlatformDependent;
import io.vertx.core.Vertx;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ClassLoadingMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryUsage;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Shows the JVM and the process with the metric names of Prometheus' own client libraries. Some values are read from
 * files of the kernel, so scrapes should be answered by a worker thread.
 */
final class JvmMetrics implements PartMetrics {

    private static final double MILLIS_PER_SECOND = 1e3;
    private static final String POOL = "pool";

    /**
     * The series of these metrics. They are created by the first scrape, because loading the JVM's management beans
     * takes 15 ms and would delay the start.
     */
    private @Nullable MetricFamilies families;

    @Override
    public MetricFamilies families() {
        if (families == null) {
            families = new MetricFamilies();
            show(families);
        }
        return families;
    }

    private static void show(MetricFamilies families) {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        area(families, "heap", memory::getHeapMemoryUsage);
        area(families, "nonheap", memory::getNonHeapMemoryUsage);
        ManagementFactory.getGarbageCollectorMXBeans().forEach(collector -> collector(families, collector));
        ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).forEach(pool -> buffers(families, pool));
        families.show(MetricName.NETTY_DIRECT, () -> Math.max(0, PlatformDependent.usedDirectMemory()));
        threads(families, ManagementFactory.getThreadMXBean());
        ClassLoadingMXBean classes = ManagementFactory.getClassLoadingMXBean();
        families.show(MetricName.CLASSES, classes::getLoadedClassCount);
        ProcessStatus.show(families);
        families.show(
                MetricName.BUILD,
                () -> 1,
                "version",
                version(),
                "java",
                Runtime.version().toString());
    }

    private static void area(MetricFamilies families, String area, Supplier<MemoryUsage> usage) {
        families.show(MetricName.MEMORY_USED, () -> usage.get().getUsed(), "area", area);
        families.show(MetricName.MEMORY_COMMITTED, () -> usage.get().getCommitted(), "area", area);
        families.show(MetricName.MEMORY_MAX, () -> usage.get().getMax(), "area", area);
    }

    private static void collector(MetricFamilies families, GarbageCollectorMXBean collector) {
        families.show(
                MetricName.GC,
                () -> new Distribution(
                        List.of(Double.POSITIVE_INFINITY),
                        List.of(collector.getCollectionCount()),
                        collector.getCollectionTime() / MILLIS_PER_SECOND),
                "gc",
                collector.getName());
    }

    private static void buffers(MetricFamilies families, BufferPoolMXBean pool) {
        families.show(MetricName.BUFFERS_USED, pool::getMemoryUsed, POOL, pool.getName());
        families.show(MetricName.BUFFERS, pool::getCount, POOL, pool.getName());
    }

    private static void threads(MetricFamilies families, ThreadMXBean threads) {
        families.show(MetricName.THREADS, threads::getThreadCount);
        families.show(MetricName.THREADS_DAEMON, threads::getDaemonThreadCount);
        families.show(MetricName.THREADS_PEAK, threads::getPeakThreadCount);
    }

    /** Returns the version from the manifest of the jar, or "unknown" if the gateway runs from class files. */
    private static String version() {
        return Optional.ofNullable(JvmMetrics.class.getPackage().getImplementationVersion())
                .orElse("unknown");
    }

    @Override
    public String part() {
        return "jvm";
    }

    /** Does nothing, because each scrape reads the values from the JVM. */
    @Override
    public void listen(Vertx vertx) {}
}
