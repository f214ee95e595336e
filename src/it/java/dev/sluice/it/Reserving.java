package dev.sluice.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabric8.kubernetes.api.model.Node;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A gateway in availability mode that the API server asks, or three that share it, for all tests of a class. */
final class Reserving implements AutoCloseable {

    /** The ends of the names of namespaces in which another policy holds. */
    static final String DENY = "-deny";

    static final String ALLOCATABLE = "-allocatable";
    static final String IGNORE_PREEMPTION = "-ignore";
    static final String DECIDE_GATED = "-decide";

    private static final String POLICY = """
            policy:
              mode: availability
              whenExhausted: wait
              namespaces:
                "*-deny": {whenExhausted: deny}
                "*-allocatable": {mode: allocatable}
                "*-ignore": {preemption: ignore}
                "*-decide": {whenGated: decide}
            """;

    private final AvailabilityMode mode;
    private final Optional<Replicas> replicas;
    private final List<Gateway> gateways;

    Reserving(Stage stage) throws IOException {
        this(new AvailabilityMode(stage.plane(), stage.gateway()));
    }

    /** Uses this mode, for a class whose tests wait until a reservation ends. */
    Reserving(AvailabilityMode mode) throws IOException {
        this.mode = mode;
        replicas = Optional.empty();
        Gateway gateway = mode.gateway("reserving", POLICY).ready();
        gateways = List.of(gateway);
        mode.register(gateway.url(), new String(gateway.caBundle(), UTF_8));
        mode.awaitAsked(gateway, "default");
    }

    private Reserving(AvailabilityMode mode, Replicas begun) {
        this.mode = mode;
        replicas = Optional.of(begun);
        gateways = begun.all();
        mode.register(begun.url(), begun.authorities());
        mode.awaitAsked(begun.settled().holder(), "default");
    }

    /** Three replicas that share their reservations, behind one address. */
    static Reserving shared(Stage stage, boolean shortWaits) throws IOException {
        AvailabilityMode mode = shortWaits
                ? AvailabilityMode.withShortWaits(stage.plane(), stage.gateway())
                : new AvailabilityMode(stage.plane(), stage.gateway());
        return new Reserving(mode, new Replicas(stage.plane(), mode, "sharing", POLICY, Replicas.USUAL));
    }

    /** The gateway that decides. */
    Gateway gateway() {
        return replicas.map(Replicas::holder).orElseGet(gateways::getFirst);
    }

    Replicas replicas() {
        return replicas.orElseThrow();
    }

    /** A node that offers these; back when it takes pods and every gateway knows it. */
    void node(Cluster cluster, String name, Map<String, String> offered) {
        cluster.addNode(name, offered);
        awaitNodes(cluster);
    }

    void awaitNodes(Cluster cluster) {
        gateways.forEach(gateway -> awaitNodes(cluster, gateway));
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

    /** Nobody decides until {@link #restart}. */
    void stop() throws InterruptedException {
        for (Gateway gateway : gateways) {
            gateway.kill();
        }
    }

    /** With what it remembers only of what it sees; nobody takes over from it, so nothing is waited for. */
    void restart(Cluster cluster) throws InterruptedException {
        stop();
        var _ = cluster.client().leases().inNamespace(Account.NAMESPACE).delete();
        gateways.forEach(gateway -> gateway.daemon().start());
        for (Gateway gateway : gateways) {
            var _ = gateway.ready();
        }
        replicas.ifPresent(Replicas::settled);
    }

    @Override
    public void close() {
        mode.close();
        replicas.ifPresent(Replicas::close);
    }
}
