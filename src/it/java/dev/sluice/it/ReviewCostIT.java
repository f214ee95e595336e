package dev.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Measures what a review costs the packaged gateway: bytes of the heap, and processor time as a multiple of what a
 * {@link Calibration} costs in the same minute. A slow machine makes both dearer; a careless change only the gateway.
 */
@Isolated
class ReviewCostIT {

    /** The figures as they were measured last, by the names that a failure shows. */
    private static final Path BASELINE = Path.of("src", "it", "review-cost.properties");

    /** A figure may be so much larger than its baseline. */
    private static final double BOUND = 1.25;

    private static final int ROUNDS = 3;

    private static final int CONNECTIONS = 4;
    private static final int COLD_REVIEWS = 2_000;
    /** The second compiler begins with what a review runs through once after 32,768 and has seen everything by then. */
    private static final int WARMING_REVIEWS = 240_000;

    private static final int WARM_REVIEWS = 12_000;

    /**
     * A review may leave so many bytes in the old generation. Where the last decisions become old, each leaves 1,000,
     * and the heap grows to its limit.
     */
    private static final int MOST_PROMOTED = 300;

    @Test
    void aReviewTakesNoMoreMemoryThanItsBaseline() throws Exception {
        try (Siege gateway = Siege.on(new GeneratedCluster(100, 1_000), "")) {
            serve(gateway, WARMING_REVIEWS);
            Heap taken = takenWhile(gateway, WARM_REVIEWS);
            System.out.println("review cost: " + taken.old() / WARM_REVIEWS + " bytes of a review became old");
            assertThat(taken.old() / WARM_REVIEWS)
                    .as("bytes of a review that became old")
                    .isLessThan(MOST_PROMOTED);
            assertThat(dearer(Map.of("bytes", taken.allocated() / (double) WARM_REVIEWS)))
                    .isEmpty();
        }
    }

    /**
     * Other programs on the same machine change these multiples by more than the bound, so this test runs in the
     * campaign. It measures again while a figure is too large. The cheapest round counts, because other programs can
     * only make a round dearer.
     */
    @Test
    @Tag("campaign")
    void aReviewTakesNoMoreProcessorTimeThanItsBaseline() throws Exception {
        Map<String, Double> least = new TreeMap<>();
        List<String> dearer = List.of("nothing was measured yet");
        for (int round = 0; round < ROUNDS && !dearer.isEmpty(); round++) {
            processorTime().forEach((name, multiple) -> least.merge(name, multiple, Math::min));
            dearer = dearer(least);
        }
        assertThat(dearer).isEmpty();
    }

    private static List<String> dearer(Map<String, Double> figures) throws IOException {
        Properties baseline = new Properties();
        try (Reader reader = Files.newBufferedReader(BASELINE)) {
            baseline.load(reader);
        }
        List<String> dearer = new ArrayList<>();
        figures.forEach((name, figure) -> {
            double before = Double.parseDouble(baseline.getProperty(name));
            String line = String.format(Locale.ROOT, "%s=%.3f, baseline %.3f", name, figure, before);
            System.out.println("review cost: " + line);
            if (figure > BOUND * before) {
                dearer.add(line);
            }
        });
        return dearer;
    }

    private static Map<String, Double> processorTime() throws Exception {
        double coldUnit = Calibration.cold();
        double warmUnit = Calibration.warm();
        try (Siege gateway = Siege.on(new GeneratedCluster(100, 1_000), "")) {
            double start = cpuNanos(gateway);
            serve(gateway, COLD_REVIEWS);
            double afterCold = cpuNanos(gateway);
            serve(gateway, WARMING_REVIEWS);
            double warm = cpuNanos(gateway);
            serve(gateway, WARM_REVIEWS);
            double afterWarm = cpuNanos(gateway);
            return Map.of(
                    "start", start / coldUnit / 1_000,
                    "cold", (afterCold - start) / COLD_REVIEWS / coldUnit,
                    "warm", (afterWarm - warm) / WARM_REVIEWS / warmUnit);
        }
    }

    private static double cpuNanos(Siege gateway) {
        return ProcessHandle.of(gateway.pid())
                .flatMap(process -> process.info().totalCpuDuration())
                .orElseThrow()
                .toNanos();
    }

    /** As fast as the answers come, over a few connections; each answer is judged. */
    private static void serve(Siege gateway, int reviews) throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(CONNECTIONS)) {
            Callable<Boolean> connection = () -> {
                serveOne(gateway, reviews / CONNECTIONS);
                return true;
            };
            for (Future<Boolean> end : threads.invokeAll(Collections.nCopies(CONNECTIONS, connection))) {
                var _ = end.get();
            }
        }
    }

    private static void serveOne(Siege gateway, int reviews) throws IOException {
        try (RawConnection connection = gateway.connect()) {
            for (int i = 0; i < reviews; i++) {
                GoodReview review = GoodReview.next();
                connection.send(RawConnection.post(review.body()));
                assertThat(review.problem(connection.answer())).isEmpty();
            }
        }
    }

    /**
     * Bytes of the heap.
     *
     * @param allocated what all threads took
     * @param old what is in use of the old generation
     */
    private record Heap(long allocated, long old) {}

    @SuppressWarnings("BanJNDI") // the address comes from a process of this test
    private static Heap takenWhile(Siege gateway, int reviews) throws Exception {
        try (JMXConnector agent = JMXConnectorFactory.connect(new JMXServiceURL(agentOf(gateway)))) {
            // What the agent itself keeps becomes old meanwhile.
            serve(gateway, reviews);
            Heap before = heap(agent);
            serve(gateway, reviews);
            Heap after = heap(agent);
            return new Heap(after.allocated() - before.allocated(), after.old() - before.old());
        }
    }

    private static Heap heap(JMXConnector agent) throws IOException, JMException {
        MBeanServerConnection gateway = agent.getMBeanServerConnection();
        CompositeData old = (CompositeData)
                gateway.getAttribute(new ObjectName("java.lang:type=MemoryPool,name=Tenured Gen"), "Usage");
        return new Heap(
                (Long) gateway.getAttribute(new ObjectName("java.lang:type=Threading"), "TotalThreadAllocatedBytes"),
                (Long) old.get("used"));
    }

    private static String agentOf(Siege gateway) throws IOException, AttachNotSupportedException {
        VirtualMachine machine = VirtualMachine.attach(Long.toString(gateway.pid()));
        try {
            return machine.startLocalManagementAgent();
        } finally {
            machine.detach();
        }
    }
}
