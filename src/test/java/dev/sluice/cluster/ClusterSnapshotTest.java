package dev.sluice.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ClusterSnapshotTest {

    static LongStream seeds() {
        return LongStream.range(0, 60);
    }

    /** Every third cluster is so large that {@code host} has more values than a label of kinds may have. */
    private static List<Node> nodes(long seed, Random random) {
        return new RandomCluster(random).nodes(seed % 3 == 0 ? 65 + random.nextInt(30) : random.nextInt(20));
    }

    private static boolean mayUse(Node node, NodeConstraints constraints) {
        return constraints.lastingRefusal(node).isEmpty();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void offersWhatSomeOneNodeOffers(long seed) {
        Random random = new Random(seed);
        List<Node> nodes = nodes(seed, random);
        ClusterSnapshot snapshot = RandomCluster.snapshot(nodes);
        RandomCluster source = new RandomCluster(random);
        for (int i = 0; i < 300; i++) {
            NodeConstraints constraints = source.constraints();
            Amounts need = need(random);
            boolean expected =
                    nodes.stream().anyMatch(node -> node.allocatable().covers(need) && mayUse(node, constraints));
            assertThat(snapshot.offers(need, constraints))
                    .as("%s for %s", need, constraints)
                    .isEqualTo(expected);
        }
    }

    private static Amounts need(Random random) {
        Amounts need = Amounts.of(device(random), 1 + random.nextInt(4));
        return random.nextInt(3) == 0 ? need.plus(Amounts.of(device(random), random.nextInt(3))) : need;
    }

    private static ResourceName device(Random random) {
        return RandomCluster.DEVICES.get(random.nextInt(RandomCluster.DEVICES.size()));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void sumsUpWhatSingleNodesOffer(long seed) {
        Random random = new Random(seed);
        List<Node> nodes = nodes(seed, random);
        ClusterSnapshot snapshot = RandomCluster.snapshot(nodes);
        RandomCluster source = new RandomCluster(random);
        for (int i = 0; i < 100; i++) {
            ResourceName name = device(random);
            NodeConstraints constraints = source.constraints();
            assertThat(snapshot.allocatableOf(name)).isEqualTo(sum(name, nodes));
            assertThat(snapshot.allocatableOf(name, constraints))
                    .as("%s for %s", name, constraints)
                    .isEqualTo(sum(
                            name,
                            nodes.stream()
                                    .filter(node -> mayUse(node, constraints))
                                    .toList()));
        }
    }

    private static ClusterSnapshotAllocatable sum(ResourceName name, List<Node> nodes) {
        List<Long> amounts = nodes.stream()
                .map(node -> node.allocatable().get(name))
                .filter(amount -> amount > 0)
                .toList();
        return new ClusterSnapshotAllocatable(
                amounts.stream().mapToLong(Long::longValue).sum(),
                amounts.size(),
                amounts.stream().mapToLong(Long::longValue).max().orElse(0));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void knowsEveryDeviceHealthyOrNot(long seed) {
        List<Node> nodes = nodes(seed, new Random(seed));
        ClusterSnapshot snapshot = RandomCluster.snapshot(nodes);
        assertThat(snapshot.devices())
                .isEqualTo(RandomCluster.DEVICES.stream()
                        .filter(name -> nodes.stream()
                                .anyMatch(node -> node.capacity().get(name) > 0
                                        || node.allocatable().get(name) > 0))
                        .collect(Collectors.toSet()));
        assertThat(snapshot.nodesByName())
                .containsExactlyInAnyOrderElementsOf(nodes)
                .extracting(Node::name)
                .isSorted();
        assertThat(snapshot.size()).isEqualTo(nodes.size());
        assertThat(nodes)
                .allSatisfy(node -> assertThat(snapshot.node(node.name())).contains(node));
    }

    @Test
    void aNeedOfNothingIsOfferedByNobody() {
        ClusterSnapshot snapshot = RandomCluster.snapshot(new RandomCluster(new Random(1)).nodes(9));
        assertThat(snapshot.offers(Amounts.NONE, NodeConstraints.NONE)).isFalse();
        assertThat(snapshot.offers(Amounts.of(ResourceName.NVIDIA_GPU, 0), NodeConstraints.NONE))
                .isFalse();
    }

    @Test
    void supplySaturates() {
        Amounts most = Amounts.of(ResourceName.NVIDIA_GPU, Long.MAX_VALUE / 2 + 1);
        List<Node> nodes = LongStream.range(0, 3)
                .mapToObj(i -> new Node("n" + i, Map.of(), List.of(), /* unschedulable= */ false, most, most, 1))
                .toList();
        assertThat(RandomCluster.snapshot(nodes).allocatableOf(ResourceName.NVIDIA_GPU))
                .isEqualTo(new ClusterSnapshotAllocatable(Long.MAX_VALUE, 3, Long.MAX_VALUE / 2 + 1));
    }

    @Test
    void nothingOfASnapshotCanBeChanged() {
        ClusterSnapshot snapshot = RandomCluster.snapshot(new RandomCluster(new Random(1)).nodes(9));
        assertThatThrownBy(snapshot.devices()::clear).isInstanceOf(UnsupportedOperationException.class);
    }
}
