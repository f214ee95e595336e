package dev.sluice.metrics.parts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.metrics.ScrapeFormat;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class JvmMetricsTest {

    private final JvmMetrics metrics = new JvmMetrics();

    private String page() {
        return new String(ScrapeFormat.accepted(null).of(metrics.families().numbers()), StandardCharsets.UTF_8);
    }

    /** The value of the only line that begins so. */
    private double value(String series) {
        return page().lines()
                .filter(line -> line.startsWith(series + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(series.length() + 1)))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void showsWhatTheHeapHoldsNow() {
        double max = value("jvm_memory_max_bytes{area=\"heap\"}");
        double used = value("jvm_memory_used_bytes{area=\"heap\"}");

        assertThat(max).isEqualTo((double) Runtime.getRuntime().maxMemory());
        assertThat(used).isPositive().isLessThanOrEqualTo(value("jvm_memory_committed_bytes{area=\"heap\"}"));
        assertThat(value("jvm_memory_used_bytes{area=\"nonheap\"}")).isPositive();
    }

    @Test
    void countsCollectionsByCollector() {
        double before = collections();
        System.gc();

        assertThat(collections()).isGreaterThan(before);
        assertThat(page())
                .contains("# TYPE jvm_gc_collection_seconds summary\n")
                .contains("_sum{gc=\"");
    }

    private double collections() {
        return page().lines()
                .filter(line -> line.startsWith("jvm_gc_collection_seconds_count"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    @Test
    void showsTimeInSecondsAndMemoryInBytes() {
        double cpu = value("process_cpu_seconds_total");
        double start = value("process_start_time_seconds");
        double now = Instant.now().getEpochSecond();

        assertThat(cpu).isBetween(0.01, 86_400.0);
        assertThat(start).isBetween(now - 86_400, now);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void theKernelSaysTheSame() throws Exception {
        double pages =
                Double.parseDouble(Files.readString(Path.of("/proc/self/statm")).split(" ", 3)[1]);

        assertThat(value("process_resident_memory_bytes")).isBetween(pages * 4_096 * 0.5, pages * 65_536 * 2);
        assertThat(value("process_open_fds")).isPositive().isLessThan(value("process_max_fds"));
    }

    @Test
    void theBuildIsAFact() {
        assertThat(page())
                .contains("gpu_webhook_build_info{java=\"" + Runtime.version() + "\",version=\"")
                .contains("jvm_threads_current ");
    }
}
