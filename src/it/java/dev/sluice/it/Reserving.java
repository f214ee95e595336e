package dev.sluice.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabric8.kubernetes.api.model.Node;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** One gateway in availability mode that the API server asks, for all tests of a class. */
final class Reserving implements AutoCloseable {

    /** The ends of the names of namespaces in which another policy holds. */
    static final String DENY = "-deny";

    static final String ALLOCATABLE = "-allocatable";

    private static final String POLICY = """
            policy:
              mode: availability
              whenExhausted: wait
              namespaces:
                "*-deny": {whenExhausted: deny}
                "*-allocatable": {mode: allocatable}
            """;

    private final AvailabilityMode mode;
    private final Gateway gateway;

    Reserving(Stage stage) throws IOException {
        this(new AvailabilityMode(stage.plane(), stage.gateway()));
    }

    /** Uses this mode, for a class whose tests wait until a reservation ends. */
    Reserving(AvailabilityMode mode) throws IOException {
        this.mode = mode;
        gateway = mode.gateway("reserving", POLICY).ready();
        mode.register(gateway.url(), new String(gateway.caBundle(), UTF_8));
        mode.awaitAsked(gateway, "default");
    }

    Gateway gateway() {
        return gateway;
    }

    /** A node that offers these; back when it takes pods and this gateway knows it. */
    void node(Cluster cluster, String name, Map<String, String> offered) {
        cluster.addNode(name, offered);
        awaitNodes(cluster);
    }

    void awaitNodes(Cluster cluster) {
        awaitNodes(cluster, gateway);
    }

    /** All nodes take pods, and the gateway knows it: it is told of a later one, and events come in their order. */
    static void awaitNodes(Cluster cluster, Gateway gateway) {
        Eventually.holds("the nodes are ready", () -> nodes(cluster).stream().allMatch(Reserving::isReady));
        int count = nodes(cluster).size();
        cluster.addNode("marker", Map.of());
        gateway.awaitNodes(count + 1);
        var _ = cluster.client().nodes().withName("marker").delete();
        gateway.awaitNodes(count);
    }

    private static List<Node> nodes(Cluster cluster) {
        return cluster.client().nodes().list().getItems();
    }

    /** A new one is tainted until its kubelet and the node controller have spoken. */
    private static boolean isReady(Node node) {
        return node.getStatus().getConditions().stream()
                        .anyMatch(condition -> condition.getType().equals("Ready")
                                && condition.getStatus().equals("True"))
                && node.getSpec().getTaints().stream()
                        .noneMatch(taint -> taint.getKey().equals("node.kubernetes.io/not-ready"));
    }

    /** With what it remembers only of what it sees; nobody takes over from it, so nothing is waited for. */
    void restart(Cluster cluster) throws InterruptedException {
        gateway.stop();
        var _ = cluster.client().leases().inNamespace(Account.NAMESPACE).delete();
        gateway.start();
    }

    @Override
    public void close() {
        mode.close();
    }
}
