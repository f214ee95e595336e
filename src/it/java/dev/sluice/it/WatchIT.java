package dev.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cluster.quantity.ResourceName;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import java.time.Duration;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** The gateway's view of the nodes, held against what the API server lists, whatever happens between the two. */
@AgainstControlPlane
@Isolated
class WatchIT {

    private static final String GPU = "nvidia.com/gpu";
    private static final String ONE = "nvidia.com/mig-1g.10gb";
    private static final String TWO = "nvidia.com/mig-2g.20gb";
    private static final String RELISTS = "gpu_webhook_watch_relists_total";
    private static final String FAILURES = "gpu_webhook_watch_failures_total";
    /** A second behind an API server that answers again, and what a busy machine needs to connect and to tell us. */
    private static final Duration BEHIND = Duration.ofMillis(1_500);

    @Test
    void aNodeThatComesBackUnderItsNameIsTheNewOne(Cluster cluster) {
        cluster.node("worker", Map.of(TWO, "8"));
        cluster.deleteNode("worker");
        cluster.node("worker", Map.of(ONE, "28"));
        cluster.awaitDecision(Pods.asking("pod", TWO), ONE, BEHIND);
    }

    @Test
    void anApiServerThatIsBackAfterALongTimeIsNoticedWithinASecond(Cluster cluster) throws Exception {
        cluster.node("first", Map.of(TWO, "8"));
        double failures = cluster.gateway().metrics().sum(FAILURES);
        cluster.plane().killApiServer();
        Eventually.holds(
                "the gateway has tried often in vain",
                () -> cluster.gateway().metrics().sum(FAILURES) > failures + 5);
        assertThat(cluster.gateway().isReady()).as("decides from what it knows").isTrue();
        cluster.plane().startApiServer();
        cluster.addNode("second", Map.of(ONE, "28"));
        cluster.gateway().awaitNodes(2, BEHIND);
        cluster.awaitDecision(Pods.asking("pod", ONE), ONE, BEHIND);
    }

    @Test
    void aVersionThatEtcdHasForgottenMeansListingAnew(Cluster cluster) throws Exception {
        cluster.node("stays", Map.of(TWO, "8"));
        cluster.node("goes", Map.of(GPU, "4"));
        double relists = cluster.gateway().metrics().sum(RELISTS);
        cluster.gateway().daemon().freeze();
        cluster.plane().killApiServer();
        cluster.plane().startApiServer();
        cluster.client().nodes().withName("goes").delete();
        cluster.addNode("comes", Map.of(ONE, "28"));
        cluster.plane().compactEtcd();
        cluster.plane().killApiServer();
        cluster.plane().startApiServer();
        cluster.gateway().daemon().thaw();
        Eventually.holds("it lists anew", () -> cluster.gateway().metrics().sum(RELISTS) > relists);
        assertSame(cluster);
        // Were the node that went still known, this would be given.
        assertThat(cluster.gateway().log()).contains("is listed again");
        cluster.awaitDecision(Pods.asking("pod", "nvidia.com/mig-3g.30gb"), TWO, BEHIND);
    }

    @Test
    void noDecisionComesFromAHalfFilledSnapshot(Cluster cluster) throws Exception {
        cluster.node("node-0", Map.of(TWO, "8"));
        AtomicBoolean done = new AtomicBoolean();
        AtomicReference<String> wrong = new AtomicReference<>("");
        Thread asking = Thread.ofVirtual().start(() -> {
            while (!done.get()) {
                wrong.compareAndSet("", changed(cluster));
            }
        });
        IntStream.range(1, 500).parallel().forEach(i -> cluster.addNode("node-" + i, Map.of(GPU, "8")));
        cluster.gateway().awaitNodes(500, BEHIND);
        cluster.plane().killApiServer();
        cluster.plane().startApiServer();
        assertSame(cluster);
        done.set(true);
        asking.join();
        assertThat(wrong).hasValue("");
    }

    /** What became of a pod for which one of the nodes is always there; empty while that is what it asked for. */
    private static String changed(Cluster cluster) {
        try {
            Api.Answer answer = cluster.dryRun(Pods.asking("probe", TWO));
            if (answer.status() != 201) {
                return answer.status() == 403 && answer.message().contains("gpu-allocation") ? answer.message() : "";
            }
            Pod pod = answer.pod();
            return Pods.limits(pod).equals("{" + TWO + "=1}") ? "" : Pods.limits(pod);
        } catch (Exception apiServerAway) {
            return "";
        }
    }

    /** The gateway's snapshot is a fresh list: the same nodes, with the same devices. */
    private static void assertSame(Cluster cluster) {
        SortedMap<String, SortedMap<String, Long>> listed = new TreeMap<>();
        for (Node node : cluster.client().nodes().list().getItems()) {
            listed.put(node.getMetadata().getName(), devices(node.getStatus().getAllocatable()));
        }
        Eventually.within(
                BEHIND,
                "the gateway's snapshot is " + listed,
                () -> cluster.gateway().allocatable().equals(listed));
    }

    private static SortedMap<String, Long> devices(Map<String, Quantity> allocatable) {
        SortedMap<String, Long> devices = new TreeMap<>();
        allocatable.forEach((name, quantity) -> {
            if (new ResourceName(name).isExtended()) {
                devices.put(name, quantity.getNumericalAmount().longValueExact());
            }
        });
        return devices;
    }

    @AfterEach
    void gatewayMoves(Cluster cluster) {
        cluster.gateway().daemon().thaw();
    }
}
