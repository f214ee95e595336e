package dev.sluice.metrics.parts;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.sluice.metrics.MetricFamilies;
import dev.sluice.metrics.MetricName;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Shows the memory and other resources of the process, as the kernel reports them. */
final class ProcessStatus {

    /** The status file of the process, which exists on Linux only; see proc_pid_status(5). */
    private static final Path STATUS = Path.of("/proc/self/status");

    private static final double NANOS_PER_SECOND = 1e9;
    private static final double MILLIS_PER_SECOND = 1e3;
    private static final long BYTES_PER_KB = 1_024;

    private ProcessStatus() {}

    static void show(MetricFamilies families) {
        double start = ManagementFactory.getRuntimeMXBean().getStartTime() / MILLIS_PER_SECOND;
        families.show(MetricName.PROCESS_START, () -> start);
        if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean kernel) {
            families.show(MetricName.PROCESS_CPU, () -> kernel.getProcessCpuTime() / NANOS_PER_SECOND);
            families.show(MetricName.OPEN_FDS, kernel::getOpenFileDescriptorCount);
            families.show(MetricName.MAX_FDS, kernel::getMaxFileDescriptorCount);
        }
        if (Files.isReadable(STATUS)) {
            families.show(MetricName.RESIDENT, () -> bytes("VmRSS:"));
            families.show(MetricName.VIRTUAL, () -> bytes("VmSize:"));
        }
    }

    /** Returns the value of a key in bytes. Returns 0 if the file can no longer be read. */
    private static long bytes(String key) {
        try {
            return Files.readString(STATUS, StandardCharsets.ISO_8859_1)
                    .lines()
                    .filter(line -> line.startsWith(key))
                    .mapToLong(ProcessStatus::bytesIn)
                    .sum();
        } catch (IOException _) {
            return 0;
        }
    }

    /** Returns the number of bytes in a line such as {@code VmRSS: 123456 kB}. */
    private static long bytesIn(String line) {
        return BYTES_PER_KB * Long.parseLong(line.replaceAll("[^0-9]", ""));
    }
}
