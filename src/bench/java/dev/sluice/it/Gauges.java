package dev.sluice.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Stream;

/** Where the figures are read. */
final class Gauges {

    private static final String WEBHOOK = "name=\"gpu-allocation.k8s.io\"";
    private static final String CALL = "apiserver_admission_webhook_admission_duration_seconds";
    private static final String REVIEW = "gpu_webhook_review_duration_seconds";

    /** Linux counts processor time for its readers in hundredths of a second. */
    private static final double TICKS_PER_SECOND = 100;

    private Gauges() {}

    static Reading read(ControlPlane plane, Gateway gateway) throws IOException, InterruptedException {
        Map<Figure, Double> values = new EnumMap<>(Figure.class);
        addApiServer(values, plane.api().metrics());
        if (gateway.daemon().isAlive()) {
            addGateway(values, gateway);
        }
        values.put(Figure.CONNECTIONS, opened());
        addProcessors(values);
        return new Reading(values);
    }

    private static void addApiServer(Map<Figure, Double> values, MetricsPage page) {
        values.put(Figure.CALLS, page.sum(CALL + "_count", WEBHOOK));
        values.put(Figure.CALL_SECONDS, page.sum(CALL + "_sum", WEBHOOK));
        values.put(Figure.CALLS_WITHIN_5_MS, page.sum(CALL + "_bucket", WEBHOOK, "le=\"0.005\""));
        values.put(Figure.CALLS_WITHIN_25_MS, page.sum(CALL + "_bucket", WEBHOOK, "le=\"0.025\""));
        values.put(Figure.CALLS_WITHIN_100_MS, page.sum(CALL + "_bucket", WEBHOOK, "le=\"0.1\""));
        values.put(Figure.CALLS_WITHIN_500_MS, page.sum(CALL + "_bucket", WEBHOOK, "le=\"0.5\""));
        values.put(Figure.FAIL_OPEN, page.sum("apiserver_admission_webhook_fail_open_count", WEBHOOK));
        values.put(Figure.REJECTIONS, page.sum("apiserver_admission_webhook_rejection_count", WEBHOOK));
    }

    private static void addGateway(Map<Figure, Double> values, Gateway gateway)
            throws IOException, InterruptedException {
        MetricsPage page = gateway.metrics();
        values.put(Figure.DECISIONS, page.sum("gpu_webhook_decisions_total"));
        values.put(Figure.CHANGED, page.sum("gpu_webhook_fallback_total"));
        values.put(Figure.HTTP_ERRORS, page.sum("gpu_webhook_requests_refused_total"));
        values.put(Figure.FAULTS, page.sum("gpu_webhook_faults_total"));
        values.put(Figure.REVIEW_SECONDS, page.sum(REVIEW + "_sum"));
        values.put(Figure.GATEWAY_CPU, seconds(ProcessHandle.of(gateway.daemon().pid()).stream()));
    }

    /** The second line of its two on TCP has the numbers, the sixth word of it the active opens. */
    private static double opened() throws IOException {
        return Files.readAllLines(Path.of("/proc/net/snmp")).stream()
                .filter(line -> line.startsWith("Tcp: ") && Character.isDigit(line.charAt(5)))
                .mapToDouble(line -> Double.parseDouble(line.split(" ", -1)[5]))
                .sum();
    }

    /** The API server's path may end in a word of the kernel's, when somebody has built the programs anew meanwhile. */
    private static void addProcessors(Map<Figure, Double> values) throws IOException {
        ProcessHandle self = ProcessHandle.current();
        values.put(
                Figure.API_SERVER_CPU,
                seconds(self.children()
                        .filter(child -> child.info().command().orElse("").contains("/kube-apiserver"))));
        values.put(Figure.OUR_CPU, seconds(Stream.concat(Stream.of(self), self.descendants())));
        values.put(Figure.MACHINE_CPU, machine());
    }

    private static double seconds(Stream<ProcessHandle> processes) {
        return processes
                        .map(process -> process.info().totalCpuDuration().orElse(Duration.ZERO))
                        .mapToLong(Duration::toMillis)
                        .sum()
                / 1e3;
    }

    /** The first line of {@code /proc/stat}: user, nice, system, idle, waiting, and others that are small. */
    private static double machine() throws IOException {
        String[] fields = Files.readAllLines(Path.of("/proc/stat")).getFirst().split(" +", -1);
        return Arrays.stream(fields, 1, 4).mapToLong(Long::parseLong).sum() / TICKS_PER_SECOND;
    }
}
