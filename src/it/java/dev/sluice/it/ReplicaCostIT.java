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

    private static final int COUNTED = Integer.getInteger("cost.counted", 6_000);
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
     * @param holderMicros of processor time that a decision costs the one that decides
     * @param dearestMicros the most that one of them pays for a review that is sent to any of them
     */
    private record Figures(
            long startMillis, double residentMebibytes, double idleMillis, double holderMicros, double dearestMicros) {

        void print(String what) {
            System.out.printf(
                    Locale.ROOT,
                    "cost, %s: start %d ms, %.1f MiB, idle %.1f ms/s, %.0f us per decision at the one that decides,"
                            + " %.0f us per review at the dearest%n",
                    what,
                    startMillis,
                    residentMebibytes,
                    idleMillis,
                    holderMicros,
                    dearestMicros);
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
            System.out.printf(
                    Locale.ROOT,
                    "cost: a decision costs the holder %.2f times as much with two replicas, %.2f times with three;"
                            + " three carry %.2f times the load of one; peers take %.1f MiB and %d ms%n",
                    two.holderMicros / alone.holderMicros,
                    three.holderMicros / alone.holderMicros,
                    alone.dearestMicros / three.dearestMicros,
                    three.residentMebibytes - alone.residentMebibytes,
                    three.startMillis - alone.startMillis);
            assertThat(one.holderMicros).isLessThan(1.5 * alone.holderMicros);
            assertThat(three.holderMicros).isLessThan(1.5 * alone.holderMicros);
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
        serve(gateways, WARMING);
        LockSupport.parkNanos(FORGOTTEN.toNanos());
        List<Duration> before = cpuTimes(gateways);
        double decided = holder.decisions();
        serve(gateways, COUNTED);
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
        return new Figures(Duration.ofNanos(ready).toMillis(), resident, idle, ofHolder, dearest);
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
    private static void serve(List<Gateway> gateways, int reviews) throws Exception {
        int ofGateway = CONNECTIONS / gateways.size();
        int ofConnection = reviews / gateways.size() / ofGateway;
        List<Callable<List<Long>>> connections = new ArrayList<>();
        for (Gateway gateway : gateways) {
            connections.addAll(Collections.nCopies(ofGateway, () -> serveOne(gateway, ofConnection)));
        }
        try (ExecutorService threads = Executors.newFixedThreadPool(connections.size())) {
            for (Future<List<Long>> end : threads.invokeAll(connections)) {
                var _ = end.get();
            }
        }
    }

    /** How long each took, in nanoseconds. */
    private static List<Long> serveOne(Gateway gateway, int reviews) throws Exception {
        List<Long> times = new ArrayList<>();
        try (RawConnection connection = gateway.connect()) {
            for (int i = 0; i < reviews; i++) {
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
            local.addAll(serveOne(holder, ONE_BY_ONE / 10));
            forwarded.addAll(serveOne(other, ONE_BY_ONE / 10));
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
