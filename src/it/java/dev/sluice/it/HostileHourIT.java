package dev.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * A random mixture of all abuses against one gateway in availability mode, beside those who keep to the rules: it
 * stays, none of their reviews is lost, and in the end it has counted every GPU. {@code -Dhostile.minutes=60} makes it
 * the hour of its name; {@code -Dhostile.seed} repeats the choices of an earlier run, as far as threads let it.
 */
@AgainstControlPlane
@Isolated
class HostileHourIT {

    static final int NODES = 4;

    private static final String GPU = "nvidia.com/gpu";
    private static final int ABUSERS = 3;
    private static final int CLIENTS = 2;
    private static final Duration AWHILE = Duration.ofSeconds(15);
    private static final Duration TO_SETTLE = Duration.ofSeconds(90);
    /** The names of some of these pods are longer than Jackson reads by itself. */
    private static final ObjectMapper JSON = new ObjectMapper(JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNameLength(Integer.MAX_VALUE)
                    .build())
            .build());

    private final SortedMap<String, Integer> done = new ConcurrentSkipListMap<>();

    /** How long the abuses go on: some seconds, or the minutes of the campaign. */
    static Duration length() {
        int minutes = Integer.getInteger("hostile.minutes", 0);
        return minutes == 0 ? AWHILE : Duration.ofMinutes(minutes);
    }

    @Test
    void theGatewayStaysServesAndCounts(Cluster cluster) throws Exception {
        long seed = Long.getLong("hostile.seed", System.nanoTime());
        System.out.println("hostile hour: -Dhostile.seed=" + seed);
        for (int node = 0; node < NODES; node++) {
            cluster.addNode(
                    "gpu-" + node, Map.of(GPU, "400", "cpu", "1000000", "memory", "100000Ti", "pods", "100000"));
        }
        cluster.addNode(
                "mig",
                Map.of(
                        "nvidia.com/mig-2g.20gb",
                        "1000000",
                        "cpu",
                        "10000000",
                        "memory",
                        "1000000Ti",
                        "pods",
                        "1000000"));
        try (Siege siege = Siege.watching(cluster.plane().kubeconfig(), "policy: {mode: availability}\n");
                WireAbuses wire = new WireAbuses(siege);
                PodAbuses pods = new PodAbuses(cluster)) {
            List<Abuse> abuses = new ArrayList<>(wire.all());
            abuses.addAll(pods.all());
            List<String> lost = fought(siege, abuses, seed);
            wire.letGo();
            System.out.println("hostile hour: " + done + ", peak " + siege.peakBytes() / 1024 / 1024 + " MiB");
            assertThat(siege.exitCode()).isEmpty();
            assertThat(lost).isEmpty();
            Eventually.within(
                    TO_SETTLE,
                    "the ledger is as the list",
                    () -> allocated(siege).equals(listed(cluster)));
            assertThat(siege.metrics().sum("gpu_webhook_ledger_audit_findings")).isZero();
        }
    }

    /** The good reviews that were lost. */
    private List<String> fought(Siege siege, List<Abuse> abuses, long seed) throws Exception {
        long end = System.nanoTime() + length().toNanos();
        BooleanSupplier over = () -> System.nanoTime() > end || !siege.isAlive();
        List<String> lost = new ArrayList<>();
        int served = 0;
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<PatientClient> clients = new ArrayList<>();
            List<Future<List<String>>> running = new ArrayList<>();
            for (int number = 0; number < CLIENTS; number++) {
                PatientClient client = new PatientClient(siege);
                clients.add(client);
                running.add(threads.submit(() -> client.during(over)));
            }
            List<Future<?>> attacks = new ArrayList<>();
            for (int number = 0; number < ABUSERS; number++) {
                RandomGenerator random = RandomGeneratorFactory.getDefault().create(seed + number);
                attacks.add(threads.submit(attacking(abuses, random, over)));
            }
            for (Future<List<String>> client : running) {
                lost.addAll(client.get());
            }
            for (Future<?> attack : attacks) {
                var _ = attack.get();
            }
            served = clients.stream().mapToInt(PatientClient::served).sum();
        }
        System.out.println("hostile hour: " + served + " good reviews served, " + lost.size() + " lost");
        assertThat(served).isPositive();
        return lost;
    }

    /** What becomes of an abuse is its own affair: refused, cut off, or answered. */
    private Callable<Boolean> attacking(List<Abuse> abuses, RandomGenerator random, BooleanSupplier over) {
        return () -> {
            while (!over.getAsBoolean()) {
                Abuse abuse = abuses.get(random.nextInt(abuses.size()));
                try {
                    abuse.act().once(random);
                    done.merge(abuse.name(), 1, Integer::sum);
                } catch (Exception refused) {
                    done.merge(abuse.name() + " (refused)", 1, Integer::sum);
                }
            }
            return true;
        };
    }

    /** By node, the GPUs that the gateway counts as taken. */
    private static SortedMap<String, BigDecimal> allocated(Siege siege) throws Exception {
        SortedMap<String, BigDecimal> allocated = new TreeMap<>();
        for (JsonNode node : JSON.readTree(siege.get("/api/v1/capacity").body()).path("nodes")) {
            for (JsonNode resource : node.path("resources")) {
                if (resource.path("resource").asText().equals(GPU)) {
                    allocated.put(
                            node.path("node").asText(),
                            Free.plain(resource.required("allocated").decimalValue()));
                }
            }
        }
        return allocated;
    }

    /** The same by the API server's own list. */
    private static SortedMap<String, BigDecimal> listed(Cluster cluster) throws Exception {
        SortedMap<String, BigDecimal> listed = new TreeMap<>();
        for (int node = 0; node < NODES; node++) {
            listed.put("gpu-" + node, BigDecimal.ZERO);
        }
        for (JsonNode pod :
                JSON.readTree(cluster.plane().api().get("/api/v1/pods").body()).path("items")) {
            String node = pod.path("spec").path("nodeName").asText();
            String phase = pod.path("status").path("phase").asText();
            if (listed.containsKey(node) && !List.of("Succeeded", "Failed").contains(phase)) {
                pod.path("spec")
                        .path("containers")
                        .forEach(container -> listed.merge(node, gpus(container), BigDecimal::add));
            }
        }
        return listed;
    }

    private static BigDecimal gpus(JsonNode container) {
        String written = container.path("resources").path("requests").path(GPU).asText("0");
        return Free.plain(new BigDecimal(written));
    }
}
