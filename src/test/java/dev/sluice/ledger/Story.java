package dev.sluice.ledger;

import dev.sluice.cluster.Node;
import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.NodeEvent;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.PodEvent;
import dev.sluice.cluster.PodId;
import dev.sluice.cluster.Taint;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.ledger.placement.PlacementRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Gives a ledger the events of a cluster, one after the other. */
public final class Story {

    static final ResourceName GPU = ResourceName.NVIDIA_GPU;
    static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    static final Taint NOT_READY = new Taint("node.kubernetes.io/not-ready", "", Taint.Effect.NO_SCHEDULE);

    public final Ledger ledger = new Ledger();
    private final Map<String, PodId> ids = new HashMap<>();
    private final Map<String, Node> nodes = new HashMap<>();
    private long version = 100;

    public Story() {
        tell(new PodEvent.ListEnded(version, START));
    }

    /** The requests of a pod with so many devices. */
    public static Amounts gpus(long count) {
        return Amounts.of(GPU, count).plus(Amounts.of(ResourceName.CPU, 1000)).plus(Amounts.of(ResourceName.PODS, 1));
    }

    static NodeConstraints zone(String value) {
        return new NodeConstraints(null, Map.of("zone", value), null, List.of());
    }

    static NodeConstraints nodeName(String node) {
        return new NodeConstraints(node, Map.of(), null, List.of());
    }

    static Amounts machine(long devices) {
        return Amounts.of(GPU, devices)
                .plus(Amounts.of(ResourceName.CPU, 64_000))
                .plus(Amounts.of(ResourceName.PODS, 110));
    }

    public void tell(PodEvent event) {
        boolean changed = ledger.apply(event);
        if (changed) {
            throw new AssertionError("a pod does not change what nodes offer");
        }
    }

    /** A node in a zone of its own name. */
    public void node(String name, long devices) {
        node(name, machine(devices));
    }

    void node(String name, Amounts allocatable) {
        seen(new Node(
                name,
                Map.of("zone", name),
                List.of(),
                /* unschedulable= */ false,
                allocatable,
                allocatable,
                ++version));
    }

    private void seen(Node node) {
        nodes.put(node.name(), node);
        var _ = ledger.apply(new NodeEvent.NodeSeen(node));
    }

    /** The list does not mention other nodes. */
    void nodesListed(String... names) {
        List<Node> listed = Stream.of(names).map(this::known).toList();
        var _ = ledger.apply(new NodeEvent.NodesListed(listed, ++version));
    }

    void cordon(String name) {
        Node node = known(name);
        seen(new Node(
                name,
                node.labels(),
                node.taints(),
                /* unschedulable= */ true,
                node.capacity(),
                node.allocatable(),
                ++version));
    }

    void taint(String name, Taint... taints) {
        Node node = known(name);
        seen(new Node(
                name,
                node.labels(),
                List.of(taints),
                node.unschedulable(),
                node.capacity(),
                node.allocatable(),
                ++version));
    }

    private Node known(String name) {
        return Objects.requireNonNull(nodes.get(name));
    }

    void nodeRemoved(String name) {
        var _ = ledger.apply(new NodeEvent.NodeRemoved(name, ++version));
    }

    /** The pod of this name, {@code namespace/name}, at a new version. */
    public Pod pod(String name, Pod.Place place, Amounts requests, String stamp) {
        return new Pod(id(name), name, place, requests, stamp, ++version);
    }

    private PodId id(String name) {
        return ids.computeIfAbsent(name, _ -> new PodId(7, ids.size()));
    }

    public void bound(String name, String node, Amounts requests) {
        tell(new PodEvent.PodSeen(pod(name, new Pod.Place.Bound(node), requests, "")));
    }

    public void unbound(String name, Amounts requests, NodeConstraints constraints) {
        tell(new PodEvent.PodSeen(pod(name, new Pod.Place.Unbound(constraints, null), requests, "")));
    }

    void nominated(String name, Amounts requests, @Nullable String node) {
        tell(new PodEvent.PodSeen(pod(name, new Pod.Place.Unbound(NodeConstraints.NONE, node), requests, "")));
    }

    void gated(String name, Amounts requests, String stamp) {
        tell(new PodEvent.PodSeen(pod(name, new Pod.Place.Gated(), requests, stamp)));
    }

    void stamped(String name, Amounts requests, String stamp) {
        tell(new PodEvent.PodSeen(pod(name, new Pod.Place.Unbound(NodeConstraints.NONE, null), requests, stamp)));
    }

    public void removed(String name) {
        ended(name, "");
    }

    void ended(String name, String stamp) {
        tell(new PodEvent.PodRemoved(id(name), name, stamp, ++version));
    }

    public void list(Pod... pods) {
        tell(new PodEvent.ListBegun());
        tell(new PodEvent.PodsPage(List.of(pods)));
        tell(new PodEvent.ListEnded(++version, START));
    }

    /** A decision as the gateway makes it: there is room, or there is none. */
    public void decided(String stamp, Amounts need, NodeConstraints constraints) {
        ledger.assume(new PlacementRequest(stamp, "team", need, constraints, ledger.isFree(need, constraints)), START);
    }

    void syncedUpTo(Duration afterStart) {
        tell(new PodEvent.PodsSyncedUpTo(START.plus(afterStart)));
    }

    private LedgerNodeUsage usage(String node) {
        return Objects.requireNonNull(ledger.usage().get(node));
    }

    long allocated(String node) {
        return usage(node).allocated().get(GPU);
    }

    long reserved(String node) {
        return usage(node).reserved().get(GPU);
    }

    boolean hasRoom(long devices) {
        return ledger.isFree(gpus(devices), NodeConstraints.NONE);
    }
}
