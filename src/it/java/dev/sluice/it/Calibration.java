package dev.sluice.it;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;

/**
 * Work of a fixed size that resembles a review: it parses one with databind and writes it again. What it costs tells
 * how fast the machine is at this moment, so that the cost of the gateway can be given as a multiple of it.
 */
final class Calibration {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final OperatingSystemMXBean PROCESS =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private static final int COLD_ROUNDS = 2_000;
    private static final int WARM_ROUNDS = 10_000;

    private Calibration() {}

    /** Nanoseconds for a round in this process, after as many rounds that are not counted. */
    static double warm() throws IOException {
        byte[] review = GoodReview.next().body();
        rounds(review, WARM_ROUNDS);
        long nanos = THREADS.getCurrentThreadCpuTime();
        rounds(review, WARM_ROUNDS);
        return (double) (THREADS.getCurrentThreadCpuTime() - nanos) / WARM_ROUNDS;
    }

    /** Nanoseconds for a round in a process of its own that has just begun, its start among them. */
    static double cold() throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-classpath",
                        System.getProperty("java.class.path"),
                        Calibration.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (InputStream printed = process.getInputStream()) {
            return Long.parseLong(new String(printed.readAllBytes(), US_ASCII).strip()) / (double) COLD_ROUNDS;
        }
    }

    /** Prints the processor time of this whole process, in nanoseconds. */
    public static void main(String[] arguments) throws IOException {
        rounds(GoodReview.next().body(), COLD_ROUNDS);
        System.out.println(PROCESS.getProcessCpuTime());
    }

    private static void rounds(byte[] review, int count) throws IOException {
        long length = 0;
        for (int i = 0; i < count; i++) {
            length += JSON.writeValueAsBytes(JSON.readTree(review)).length;
        }
        if (length == 0) {
            throw new IllegalStateException("nothing was written");
        }
    }
}
