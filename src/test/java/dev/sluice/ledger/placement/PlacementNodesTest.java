package dev.sluice.ledger.placement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.NodeEvent;
import dev.sluice.cluster.RandomCluster;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PlacementNodesTest {

    static LongStream seeds() {
        return LongStream.range(0, 40);
    }

    /** What a real API server tells: a list at one version, then events with rising versions. */
    private static final class History {

        final NodeEvent.NodesListed list;
        final List<NodeEvent> events = new ArrayList<>();
        final Map<String, Node> end = new TreeMap<>();

        History(Random random) {
            RandomCluster source = new RandomCluster(random);
            int names = random.nextInt(3) == 0 ? 90 : 12;
            List<Node> first = source.nodes(random.nextInt(names));
            first.forEach(node -> end.put(node.name(), node));
            list = new NodeEvent.NodesListed(first, 1000);
            for (long version = 1001; version < 1001 + 3L * names; version++) {
                String name = "n" + random.nextInt(names);
                events.add(
                        end.containsKey(name) && random.nextInt(3) == 0
                                ? removal(name, version)
                                : sighting(source.node(name, version)));
            }
        }

        private NodeEvent removal(String name, long version) {
            end.remove(name);
            return new NodeEvent.NodeRemoved(name, version);
        }

        private NodeEvent sighting(Node node) {
            end.put(node.name(), node);
            return new NodeEvent.NodeSeen(node);
        }

        PlacementNodes replayed() {
            return replayed(events);
        }

        PlacementNodes replayed(List<NodeEvent> inThisOrder) {
            PlacementNodes ledger = new PlacementNodes();
            tell(ledger, list);
            inThisOrder.forEach(event -> tell(ledger, event));
            return ledger;
        }
    }

    private static void tell(PlacementNodes ledger, NodeEvent event) {
        long before = ledger.snapshot().generation();
        boolean changed = ledger.apply(event);
        assertThat(ledger.snapshot().generation()).isEqualTo(before + (changed ? 1 : 0));
    }

    private static void assertHolds(PlacementNodes ledger, Map<String, Node> expected) {
        ClusterSnapshot snapshot = ledger.snapshot();
        assertThat(unversioned(snapshot.nodesByName())).isEqualTo(unversioned(expected.values()));
        assertThat(snapshot.size()).isEqualTo(expected.size());
        ClusterSnapshot listed = RandomCluster.snapshot(List.copyOf(expected.values()));
        assertThat(snapshot.devices()).isEqualTo(listed.devices());
        RandomCluster source = new RandomCluster(new Random(expected.size()));
        for (ResourceName name : RandomCluster.DEVICES) {
            assertThat(snapshot.allocatableOf(name)).isEqualTo(listed.allocatableOf(name));
            for (int i = 0; i < 8; i++) {
                NodeConstraints constraints = source.constraints();
                assertThat(snapshot.allocatableOf(name, constraints))
                        .isEqualTo(listed.allocatableOf(name, constraints));
                assertThat(snapshot.offers(Amounts.of(name, 2), constraints))
                        .isEqualTo(listed.offers(Amounts.of(name, 2), constraints));
            }
        }
    }

    /** A snapshot may have older versions that are the same for every decision. */
    private static Set<Node> unversioned(Collection<Node> nodes) {
        return nodes.stream()
                .map(node -> new Node(
                        node.name(),
                        node.labels(),
                        node.taints(),
                        node.unschedulable(),
                        node.capacity(),
                        node.allocatable(),
                        0))
                .collect(Collectors.toSet());
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void replayingAHistoryEqualsListingItsEndState(long seed) {
        History history = new History(new Random(seed));
        assertHolds(history.replayed(), history.end);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void theOrderInWhichEventsArriveIsIrrelevant(long seed) {
        Random random = new Random(seed);
        History history = new History(random);
        List<NodeEvent> shuffled = new ArrayList<>(history.events);
        Collections.shuffle(shuffled, random);
        assertHolds(history.replayed(shuffled), history.end);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void replayedAndOvertakenEventsChangeNothing(long seed) {
        Random random = new Random(seed);
        History history = new History(random);
        PlacementNodes ledger = history.replayed();
        long generation = ledger.snapshot().generation();
        List<NodeEvent> again = new ArrayList<>(history.events);
        again.addAll(history.events);
        Collections.shuffle(again, random);
        assertThat(again).noneMatch(ledger::apply);
        assertThat(ledger.snapshot().generation()).isEqualTo(generation);
        assertHolds(ledger, history.end);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void aBookmarkForgetsRemovalsSafely(long seed) {
        Random random = new Random(seed);
        History history = new History(random);
        PlacementNodes ledger = new PlacementNodes();
        tell(ledger, history.list);
        long version = 1000;
        for (NodeEvent event : history.events) {
            tell(ledger, event);
            version++;
            if (random.nextInt(4) == 0) {
                assertThat(ledger.apply(new NodeEvent.NodesBookmark(version))).isFalse();
            }
        }
        assertHolds(ledger, history.end);
        assertThat(ledger.apply(new NodeEvent.NodesBookmark(version))).isFalse();
        Collections.shuffle(history.events, random);
        assertThat(history.events).noneMatch(ledger::apply);
        assertHolds(ledger, history.end);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void aRelistRemovesWhatItDoesNotMention(long seed) {
        Random random = new Random(seed);
        PlacementNodes ledger = new History(random).replayed();
        History later = new History(random);
        boolean changed = ledger.apply(new NodeEvent.NodesListed(List.copyOf(later.end.values()), 5000));
        assertThat(changed).isTrue();
        assertHolds(ledger, later.end);
        assertThat(ledger.apply(new NodeEvent.NodesListed(List.copyOf(later.end.values()), 5001)))
                .isFalse();
        assertThat(later.events).as("older than the list").noneMatch(ledger::apply);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void aListInPagesEqualsOneAtOnce(long seed) {
        Random random = new Random(seed);
        PlacementNodes ledger = new History(random).replayed();
        History later = new History(random);
        List<Node> listed = List.copyOf(later.end.values());
        // A list that failed has no end, and its nodes count.
        assertThat(ledger.apply(new NodeEvent.NodeListBegun())).isFalse();
        var _ = ledger.apply(new NodeEvent.NodesPage(listed.subList(0, listed.size() / 2)));
        assertThat(ledger.apply(new NodeEvent.NodeListBegun())).isFalse();
        for (int from = 0; from < listed.size(); from += 7) {
            var _ = ledger.apply(new NodeEvent.NodesPage(listed.subList(from, Math.min(from + 7, listed.size()))));
        }
        var _ = ledger.apply(new NodeEvent.NodeListEnded(5000, Instant.MIN));
        assertHolds(ledger, later.end);
        assertThat(later.events).as("older than the list").noneMatch(ledger::apply);
    }

    @Test
    void nothingIsKnownBeforeTheLastPage() {
        PlacementNodes ledger = new PlacementNodes();
        var _ = ledger.apply(new NodeEvent.NodeListBegun());
        assertThat(ledger.apply(new NodeEvent.NodesPage(List.of(node("n1", 5)))))
                .isTrue();
        assertThat(ledger.isSynced()).isFalse();
        assertThat(ledger.apply(new NodeEvent.NodeListEnded(7, Instant.MIN))).isTrue();
        assertThat(ledger.isSynced()).isTrue();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void aSnapshotNeverChangesAfterItWasMade(long seed) {
        Random random = new Random(seed);
        History history = new History(random);
        PlacementNodes ledger = new PlacementNodes();
        tell(ledger, history.list);
        ClusterSnapshot early = ledger.snapshot();
        String before = told(early);
        history.events.forEach(event -> tell(ledger, event));
        assertThat(told(early)).isEqualTo(before);
    }

    private static String told(ClusterSnapshot snapshot) {
        StringBuilder text = new StringBuilder();
        text.append(snapshot.generation())
                .append(snapshot.nodesByName())
                .append(new TreeMap<>(Map.of("devices", List.copyOf(snapshot.devices()))));
        RandomCluster source = new RandomCluster(new Random(1));
        for (ResourceName name : RandomCluster.DEVICES) {
            text.append(snapshot.allocatableOf(name)).append(snapshot.allocatableOf(name, source.constraints()));
        }
        return text.toString();
    }

    private static Node node(String name, long version) {
        Amounts gpus = Amounts.of(ResourceName.NVIDIA_GPU, 8);
        return new Node(name, Map.of(), List.of(), /* unschedulable= */ false, gpus, gpus, version);
    }

    private static PlacementNodes listed(Node... nodes) {
        PlacementNodes ledger = new PlacementNodes();
        tell(ledger, new NodeEvent.NodesListed(List.of(nodes), 10));
        return ledger;
    }

    private static Set<String> names(PlacementNodes ledger) {
        return Set.copyOf(
                ledger.snapshot().nodesByName().stream().map(Node::name).toList());
    }

    @Test
    void aRemovedNodeComesBackByANewerEventOnly() {
        PlacementNodes ledger = listed(node("n1", 5));
        assertThat(ledger.apply(new NodeEvent.NodeRemoved("n1", 20))).isTrue();
        assertThat(ledger.apply(new NodeEvent.NodeSeen(node("n1", 19)))).isFalse();
        assertThat(names(ledger)).isEmpty();
        assertThat(ledger.apply(new NodeEvent.NodeSeen(node("n1", 21)))).isTrue();
        assertThat(names(ledger)).containsExactly("n1");
    }

    @Test
    void aRemovalThatWasOvertakenDoesNotRemoveTheNewNode() {
        PlacementNodes ledger = listed(node("n1", 5));
        assertThat(ledger.apply(new NodeEvent.NodeSeen(node("n1", 22)))).isFalse();
        assertThat(ledger.apply(new NodeEvent.NodeRemoved("n1", 20))).isFalse();
        assertThat(names(ledger)).containsExactly("n1");
    }

    @Test
    void aRemovalOfAnUnknownNodeKeepsItsGhostAway() {
        PlacementNodes ledger = listed();
        assertThat(ledger.apply(new NodeEvent.NodeRemoved("n1", 20))).isFalse();
        assertThat(ledger.apply(new NodeEvent.NodeSeen(node("n1", 15)))).isFalse();
        assertThat(names(ledger)).isEmpty();
    }

    @Test
    void aSourceWithoutVersionsIsBelieved() {
        PlacementNodes ledger = listed(node("n1", 5));
        assertThat(ledger.apply(new NodeEvent.NodeSeen(node("n2", 0)))).isTrue();
        assertThat(ledger.apply(new NodeEvent.NodeRemoved("n1", 0))).isTrue();
        assertThat(names(ledger)).containsExactly("n2");
    }

    @Test
    void nothingIsKnownBeforeTheFirstListAndAnEmptyOneIsKnowledge() {
        PlacementNodes ledger = new PlacementNodes();
        assertThat(ledger.isSynced()).isFalse();
        assertThat(ledger.apply(new NodeEvent.NodeSeen(node("n1", 5)))).isTrue();
        assertThat(ledger.isSynced()).isFalse();
        assertThat(ledger.apply(new NodeEvent.NodesListed(List.of(), 7))).isTrue();
        assertThat(ledger.isSynced()).isTrue();
        assertThat(names(ledger)).isEmpty();
    }

    @Test
    void aHeartbeatChangesNothingButTheVersion() {
        PlacementNodes ledger = listed(node("n1", 15));
        assertThat(ledger.apply(new NodeEvent.NodeSeen(node("n1", 30)))).isFalse();
        assertThat(ledger.apply(new NodeEvent.NodeRemoved("n1", 29))).isFalse();
        assertThat(names(ledger)).containsExactly("n1");
        assertThat(ledger.apply(new NodeEvent.NodeRemoved("n1", 31))).isTrue();
    }

    @Test
    void versionsAreKeptWhenNodesAreGroupedAnew() {
        PlacementNodes ledger = listed(labelled(0, 11));
        assertThat(ledger.apply(new NodeEvent.NodeSeen(labelled(0, 30)))).isFalse();
        for (int i = 1; i <= PlacementLabelCensus.MOST_SHARED_VALUES; i++) {
            assertThat(ledger.apply(new NodeEvent.NodeSeen(labelled(i, 30)))).isTrue();
        }
        assertThat(ledger.groupings()).isEqualTo(1);
        assertThat(ledger.apply(new NodeEvent.NodeRemoved("n0", 29))).isFalse();
        assertThat(names(ledger)).hasSize(PlacementLabelCensus.MOST_SHARED_VALUES + 1);
    }

    private static Node labelled(int number, long version) {
        Node node = node("n" + number, version);
        return new Node(
                node.name(),
                Map.of("serial", node.name()),
                node.taints(),
                node.unschedulable(),
                node.capacity(),
                node.allocatable(),
                version);
    }

    @Test
    void snapshotsShareWhatHasNotChanged() {
        PlacementNodes ledger = listed(labelled(0, 11), node("n1", 11));
        ClusterSnapshot before = ledger.snapshot();
        assertThat(ledger.apply(new NodeEvent.NodeRemoved("n1", 20))).isTrue();
        ClusterSnapshot after = ledger.snapshot();
        assertThat(before.node("n1")).isPresent();
        assertThat(after.node("n1")).isEmpty();
        assertThat(after.node("n0").orElseThrow()).isSameAs(before.node("n0").orElseThrow());
    }
}
