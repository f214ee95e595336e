package dev.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Measures what it costs that replicas share their reservations, and prints it. Only figures that other programs of the
 * machine cannot change much have a limit: the processor time of a decision, and memory.
 */
@AgainstControlPlane
@Isolated
@Tag("campaign")
class ReplicaCostIT {

    private static final String POLICY = "policy: {mode: availability}\n";
    private static final String ALLOCATABLE = "policy: {mode: allocatable}\n";
    /** The connections to all gateways together, so that as many reviews wait at one gateway as at three. */
    private static final int CONNECTIONS = Integer.getInteger("cost.connections", 12);
    /** The second compiler begins after 32,768 calls, and each of three gateways gets a third of these reviews. */
    private static final int WARMING = Integer.getInteger("cost.warming", 120_000);

    private static final int COUNTED = Integer.getInteger("cost.counted", 12_000);

    /**
     * At this rate no gateway is busy all the time, so that each review finds the same gateway with and without peers.
     */
    private static final int RATE = Integer.getInteger("cost.rate", 1_000);

    /** The interval between the reviews of one connection at this rate. */
    private static final Duration INTERVAL = Duration.ofNanos(1_000_000_000L * CONNECTIONS / RATE);

    private static final int ONE_BY_ONE = 3_000;
    private static final Duration IDLE = Duration.ofSeconds(Integer.getInteger("cost.idle", 30));

    /** A quarter of 34 s: what was promised is free again, so that the next reviews reserve, too. */
    private static final Duration FORGOTTEN = Duration.ofSeconds(10);

    private static final double MEBIBYTE = 1024 * 1024;

    /**
     * The figures of one, two or three gateways.
     *
     * @param startMillis from the start of the last one until it is ready
     * @param residentMebibytes of the last one, when it had just started
     * @param idleMillis of processor time that the dearest one takes in a second
     * @param atRate at {@link #RATE}
     * @param full when each connection sends its next review as soon as it has the answer to the last one
     */
    private record Figures(
            long startMillis, double residentMebibytes, double idleMillis, ProcessorTime atRate, ProcessorTime full) {

        void print(String what) {
            System.out.printf(
                    Locale.ROOT,
                    "cost, %s: start %d ms, %.1f MiB, idle %.1f ms/s, %s at %d reviews a second, %s under full load%n",
                    what,
                    startMillis,
                    residentMebibytes,
                    idleMillis,
                    atRate,
                    RATE,
                    full);
        }
    }

    /**
     * Processor time in microseconds.
     *
     * @param holder what a decision costs the one that decides
     * @param dearest the most that one of them pays for a review that is sent to any of them
     */
    private record ProcessorTime(double holder, double dearest) {

        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "%.0f us per decision at the holder and %.0f us per review at the dearest",
                    holder,
                    dearest);
        }

        String comparedWith(ProcessorTime alone) {
            return String.format(
                    Locale.ROOT,
                    "a decision costs the holder %.2f times as much, and all carry %.2f times the load",
                    holder / alone.holder,
                    alone.dearest / dearest);
        }
    }

    @Test
    void whatItCosts(Cluster cluster) throws Exception {
        for (int i = 0; i < 3; i++) {
            cluster.addNode(
                    "worker-" + i,
                    Map.of(
                            "nvidia.com/mig-2g.20gb", "1000000",
                            "pods", "1000000",
                            "cpu", "10000000",
                            "memory", "100000Ti"));
        }
        try (AvailabilityMode mode = AvailabilityMode.withShortWaits(cluster.plane(), cluster.gateway())) {
            alone(cluster, mode, "allocatable", ALLOCATABLE).print("allocatable mode");
            Figures alone = alone(cluster, mode, "alone", POLICY);
            alone.print("availability mode, one without peers");
            Figures one = shared(cluster, mode, 1);
            Figures two = shared(cluster, mode, 2);
            Figures three = shared(cluster, mode, 3);
            for (Figures each : List.of(one, two, three)) {
                System.out.printf(
                        Locale.ROOT,
                        "cost, compared with alone: at %d a second %s; under full load %s%n",
                        RATE,
                        each.atRate.comparedWith(alone.atRate),
                        each.full.comparedWith(alone.full));
            }
            System.out.printf(
                    Locale.ROOT,
                    "cost: peers take %.1f MiB and %d ms%n",
                    three.residentMebibytes - alone.residentMebibytes,
                    three.startMillis - alone.startMillis);
            assertThat(one.atRate.holder).isLessThan(1.5 * alone.atRate.holder);
            assertThat(three.atRate.holder).isLessThan(1.5 * alone.atRate.holder);
            assertThat(three.residentMebibytes).isLessThan(alone.residentMebibytes + 25);
        }
    }

    private static Figures alone(Cluster cluster, AvailabilityMode mode, String name, String policy) throws Exception {
        Gateway gateway = mode.warmGateway(name, policy, mode.inPod(name), Gateway.LAUNCHER)
                .ready();
        Reserving.awaitNodes(cluster, gateway);
        Figures figures = measure(cluster, List.of(gateway), gateway);
        gateway.stop();
        var _ = cluster.client().leases().inNamespace(Account.NAMESPACE).delete();
        return figures;
    }

    private static Figures shared(Cluster cluster, AvailabilityMode mode, int count) throws Exception {
        try (Replicas replicas = new Replicas(cluster.plane(), mode, "cost-of-" + count, POLICY, count).settled()) {
            replicas.awaitNodes(cluster);
            Figures figures = measure(cluster, replicas.all(), replicas.holder());
            figures.print("availability mode, replicas: " + count);
            if (count > 1) {
                compare(replicas);
            }
            for (Gateway gateway : replicas.all()) {
                gateway.stop();
            }
            replicas.deleteLease();
            return figures;
        }
    }

    private static Figures measure(Cluster cluster, List<Gateway> gateways, Gateway holder) throws Exception {
        Gateway last =
                gateways.stream().filter(each -> each != holder).findFirst().orElse(holder);
        last.daemon().kill();
        if (gateways.size() == 1) {
            var _ = cluster.client().leases().inNamespace(Account.NAMESPACE).delete();
        }
        long start = System.nanoTime();
        last.start();
        long ready = System.nanoTime() - start;
        LockSupport.parkNanos(Duration.ofSeconds(3).toNanos());
        double resident = last.residentBytes() / MEBIBYTE;
        double idle = idle(gateways);
        serve(gateways, WARMING, Duration.ZERO);
        ProcessorTime atRate = processorTime(gateways, holder, INTERVAL);
        ProcessorTime full = processorTime(gateways, holder, Duration.ZERO);
        return new Figures(Duration.ofNanos(ready).toMillis(), resident, idle, atRate, full);
    }

    private static ProcessorTime processorTime(List<Gateway> gateways, Gateway holder, Duration interval)
            throws Exception {
        LockSupport.parkNanos(FORGOTTEN.toNanos());
        List<Duration> before = cpuTimes(gateways);
        double decided = holder.decisions();
        serve(gateways, COUNTED, interval);
        List<Duration> after = cpuTimes(gateways);
        double decisions = holder.decisions() - decided;
        double dearest = 0;
        double ofHolder = 0;
        for (int i = 0; i < gateways.size(); i++) {
            double micros = after.get(i).minus(before.get(i)).toNanos() / 1_000.0;
            dearest = Math.max(dearest, micros / COUNTED);
            if (gateways.get(i) == holder) {
                ofHolder = micros / decisions;
            }
        }
        return new ProcessorTime(ofHolder, dearest);
    }

    private static List<Duration> cpuTimes(List<Gateway> gateways) {
        return gateways.stream().map(Gateway::cpuTime).toList();
    }

    private static double idle(List<Gateway> gateways) {
        List<Duration> before = cpuTimes(gateways);
        LockSupport.parkNanos(IDLE.toNanos());
        List<Duration> after = cpuTimes(gateways);
        double most = 0;
        for (int i = 0; i < gateways.size(); i++) {
            most = Math.max(most, after.get(i).minus(before.get(i)).toNanos() / 1e6 / IDLE.toSeconds());
        }
        return most;
    }

    /** The same number at each. */
    private static void serve(List<Gateway> gateways, int reviews, Duration interval) throws Exception {
        int ofGateway = CONNECTIONS / gateways.size();
        int ofConnection = reviews / gateways.size() / ofGateway;
        List<Callable<List<Long>>> connections = new ArrayList<>();
        for (Gateway gateway : gateways) {
            connections.addAll(Collections.nCopies(ofGateway, () -> serveOne(gateway, ofConnection, interval)));
        }
        try (ExecutorService threads = Executors.newFixedThreadPool(connections.size())) {
            for (Future<List<Long>> end : threads.invokeAll(connections)) {
                var _ = end.get();
            }
        }
    }

    /**
     * Sends a review at each interval. If answers are late, the next reviews are sent at once, until none is overdue.
     *
     * @return how long each took, in nanoseconds
     */
    private static List<Long> serveOne(Gateway gateway, int reviews, Duration interval) throws Exception {
        List<Long> times = new ArrayList<>();
        try (RawConnection connection = gateway.connect()) {
            long next = System.nanoTime();
            for (int i = 0; i < reviews; i++) {
                LockSupport.parkNanos(next - System.nanoTime());
                next += interval.toNanos();
                GoodReview review = GoodReview.next();
                byte[] request = RawConnection.post(review.body());
                long begin = System.nanoTime();
                connection.send(request);
                RawConnection.Answer answer = connection.answer();
                times.add(System.nanoTime() - begin);
                assertThat(review.problem(answer)).isEmpty();
            }
        }
        return times;
    }

    /** One review after the other, in turn at the holder and at another replica. */
    private static void compare(Replicas replicas) throws Exception {
        Gateway holder = replicas.holder();
        Gateway other = replicas.others(holder).getFirst();
        List<Long> local = new ArrayList<>();
        List<Long> forwarded = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            local.addAll(serveOne(holder, ONE_BY_ONE / 10, Duration.ZERO));
            forwarded.addAll(serveOne(other, ONE_BY_ONE / 10, Duration.ZERO));
        }
        System.out.printf(
                Locale.ROOT,
                "cost, %d replicas: at the holder p50 %.2f ms, p99 %.2f ms; forwarded p50 %.2f ms, p99 %.2f ms%n",
                replicas.all().size(),
                quantile(local, 0.5),
                quantile(local, 0.99),
                quantile(forwarded, 0.5),
                quantile(forwarded, 0.99));
    }

    private static double quantile(List<Long> nanos, double share) {
        List<Long> sorted = nanos.stream().sorted().toList();
        return sorted.get((int) (share * (sorted.size() - 1))) / 1e6;
    }
}
