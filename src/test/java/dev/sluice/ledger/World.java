package dev.sluice.ledger;

import dev.sluice.cluster.Node;
import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.NodeEvent;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.PodEvent;
import dev.sluice.cluster.PodId;
import dev.sluice.cluster.PodPriority;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.ledger.placement.PlacementDemand;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A cluster as it is, with a scheduler of its own mind, and what its API server remembers of every change. */
final class World {

    private static final int MOST_PODS = 24;

    private final SplittableRandom random;
    private final Palette palette;
    private final int places;
    final Map<String, Node> nodes = new TreeMap<>();
    final Map<PodId, Pod> pods = new HashMap<>();
    /** So that one can be drawn; the same pods. */
    private final List<PodId> ids = new ArrayList<>();

    final List<NodeEvent> nodeLog = new ArrayList<>();
    final List<PodEvent> podLog = new ArrayList<>();
    /** When each entry of the pods' log was stored. */
    final List<Instant> stored = new ArrayList<>();

    private long version = 1;
    private long serial;
    Instant now = Story.START;

    World(SplittableRandom random, Palette palette, int places) {
        this.random = random;
        this.palette = palette;
        this.places = places;
        for (int i = 0; i < places; i++) {
            setNode("n" + i);
        }
    }

    long version() {
        return version;
    }

    boolean isFull() {
        return ids.size() >= MOST_PODS;
    }

    /** A new, changed or removed node. */
    void changeNode() {
        String name = "n" + random.nextInt(places);
        Node node = nodes.get(name);
        if (node != null && random.nextInt(4) == 0) {
            nodes.remove(name);
            nodeLog.add(new NodeEvent.NodeRemoved(name, ++version));
        } else if (node != null && random.nextInt(3) == 0) {
            storeNode(new Node(
                    name,
                    node.labels(),
                    node.taints(),
                    !node.unschedulable(),
                    node.capacity(),
                    node.allocatable(),
                    ++version));
        } else {
            setNode(name);
        }
    }

    private void setNode(String name) {
        storeNode(palette.node(name, ++version));
    }

    private void storeNode(Node node) {
        nodes.put(node.name(), node);
        nodeLog.add(new NodeEvent.NodeSeen(node));
    }

    void create(String namespace, Pod.Place place, Amounts requests, String stamp) {
        create(namespace, place, requests, stamp, PodPriority.NORMAL);
    }

    void create(String namespace, Pod.Place place, Amounts requests, String stamp, PodPriority priority) {
        serial++;
        PodId id = new PodId(serial * 0x5DEECE66DL, serial);
        ids.add(id);
        store(new Pod(id, namespace + "/p" + serial, place, requests, stamp, ++version, "", priority));
    }

    private void store(Pod pod) {
        pods.put(pod.id(), pod);
        log(new PodEvent.PodSeen(pod));
    }

    private void log(PodEvent event) {
        podLog.add(event);
        stored.add(now);
    }

    /** A pod of which nothing is told but its end. */
    void end(String namespace, String stamp) {
        serial++;
        log(new PodEvent.PodRemoved(
                new PodId(serial * 0x5DEECE66DL, serial), namespace + "/p" + serial, stamp, ++version));
    }

    @Nullable
    Pod anyPod() {
        return ids.isEmpty() ? null : pods.get(ids.get(random.nextInt(ids.size())));
    }

    private void become(Pod pod, Pod.Place place, Amounts requests) {
        store(new Pod(pod.id(), pod.name(), place, requests, pod.stamp(), ++version, "", pod.priority()));
    }

    /** Deleted, or ended. */
    void remove(Pod pod) {
        pods.remove(pod.id());
        ids.remove(pod.id());
        log(new PodEvent.PodRemoved(pod.id(), pod.name(), pod.stamp(), ++version));
    }

    /** Something of it changes that nobody counts; being deleted, for example. */
    void touch(Pod pod) {
        become(pod, pod.place(), pod.requests());
    }

    void resize(Pod pod) {
        become(pod, pod.place(), palette.need());
    }

    /** What comes next in the life of a pod that is not bound: gates go, the scheduler nominates a node or binds. */
    void proceed(Pod pod) {
        switch (pod.place()) {
            case Pod.Place.Gated _ -> become(pod, new Pod.Place.Unbound(palette.constraints(), null), pod.requests());
            case Pod.Place.Unbound(NodeConstraints constraints, @Nullable String nominated) -> {
                if (random.nextInt(10) == 0) {
                    become(pod, new Pod.Place.Unbound(constraints, palette.nominated()), pod.requests());
                } else {
                    schedule(pod, constraints, nominated);
                }
            }
            case Pod.Place.Bound _, Pod.Place.UnknownPlace _ -> {}
        }
    }

    private void schedule(Pod pod, NodeConstraints constraints, @Nullable String nominated) {
        List<String> fitting = new ArrayList<>();
        for (Node node : nodes.values()) {
            if (constraints.presentRefusal(node).isEmpty()
                    && Packing.covers(free(node), Palette.vector(PlacementDemand.countable(pod.requests())))) {
                fitting.add(node.name());
            }
        }
        if (!fitting.isEmpty()) {
            String node = nominated != null && fitting.contains(nominated)
                    ? nominated
                    : fitting.get(random.nextInt(fitting.size()));
            become(pod, new Pod.Place.Bound(node), pod.requests());
        }
    }

    private long[] free(Node node) {
        long[] left = Palette.vector(node.allocatable());
        if (left[Palette.PODS] == 0) {
            left[Palette.PODS] = Integer.MAX_VALUE;
        }
        for (Pod pod : pods.values()) {
            if (pod.place() instanceof Pod.Place.Bound(String name) && name.equals(node.name())) {
                long[] taken = Palette.vector(PlacementDemand.countable(pod.requests()));
                for (int i = 0; i < left.length; i++) {
                    left[i] -= taken[i];
                }
            }
        }
        return left;
    }

    /** All pods at this moment, in pages. */
    List<List<Pod>> pages() {
        List<List<Pod>> pages = new ArrayList<>();
        List<Pod> page = new ArrayList<>();
        for (PodId id : ids) {
            page.add(Objects.requireNonNull(pods.get(id)));
            if (random.nextInt(6) == 0) {
                pages.add(page);
                page = new ArrayList<>();
            }
        }
        pages.add(page);
        return pages;
    }
}
