package dev.sluice.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.CapacityHistoryDocuments.CapacitySample;
import dev.sluice.api.CapacityReport.ClusterUse;
import dev.sluice.api.CapacityReport.Selection;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.ledger.LedgerNodeUsage;
import dev.sluice.ledger.placement.PlacementNodes;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CapacityHistoryDocumentsTest {

    private final CapacityHistoryDocuments history = new CapacityHistoryDocuments();

    private static CapacitySample sample(long second, ClusterUse taken, ResourceName... devices) {
        Amounts has = List.of(devices).stream()
                .map(device -> Amounts.of(device, 4))
                .reduce(Amounts.of(ResourceName.CPU, 1_000), Amounts::plus);
        Node first = new Node("n1", Map.of(), List.of(), /* unschedulable= */ false, has, has, 0);
        Node other = new Node("n2", Map.of(), List.of(), /* unschedulable= */ false, has, has, 0);
        return CapacitySample.of(
                CapacityReport.of(PlacementNodes.snapshotOf(List.of(first, other)), taken, Selection.ALL),
                Instant.ofEpochSecond(second));
    }

    private static ClusterUse taken(long allocated, long reserved) {
        return new ClusterUse.UseKnown(
                Map.of(
                        "n1",
                        new LedgerNodeUsage(
                                Amounts.of(ResourceName.NVIDIA_GPU, allocated),
                                Amounts.of(ResourceName.NVIDIA_GPU, reserved))),
                0);
    }

    private String text() {
        return ApiJson.text(CapacityHistoryDocuments.document(history.samples()));
    }

    @Test
    void whatIsNotKnownIsNull() {
        history.add(sample(60, new ClusterUse.UseUnknown(), ResourceName.NVIDIA_GPU));
        history.add(sample(120, taken(0, 0)));
        history.add(sample(180, taken(2, 1), ResourceName.NVIDIA_GPU));

        assertThat(text()).isEqualTo("""
                {"stepSeconds":60,"times":[60,120,180],"resources":[{"resource":"nvidia.com/gpu",\
                "allocatable":[8,null,8],"allocated":[null,null,2],"reserved":[null,null,1],\
                "available":[null,null,5],"largestFree":[null,null,4]}]}""");
    }

    @Test
    void theOldestSampleMakesRoom() {
        IntStream.rangeClosed(1, CapacityHistoryDocuments.MOST_SAMPLES + 5)
                .forEach(second -> history.add(sample(second, taken(0, 0), ResourceName.NVIDIA_GPU)));

        List<CapacitySample> kept = history.samples();
        assertThat(kept).hasSize(CapacityHistoryDocuments.MOST_SAMPLES);
        assertThat(kept.getFirst().time()).isEqualTo(Instant.ofEpochSecond(6));
    }

    @Test
    void manyResourcesAreNotAllKept() {
        ResourceName[] many = IntStream.range(0, 2 * CapacityHistoryDocuments.MOST_RESOURCES)
                .mapToObj(i -> new ResourceName("example.com/device-" + i))
                .toArray(ResourceName[]::new);
        history.add(sample(60, taken(0, 0), many));

        assertThat(history.samples().getFirst().devices()).hasSize(CapacityHistoryDocuments.MOST_RESOURCES);
    }

    private static final ResourceName ALONE = new ResourceName("example.com/zz-of-one-node");

    /** Two nodes with a GPU, one of which has a device that no other has, and one that invents devices. */
    private static CapacitySample sampleBeside(long second, String invented, int count) {
        Amounts gpu = Amounts.of(ResourceName.NVIDIA_GPU, 4);
        Amounts lies = IntStream.range(0, count)
                .mapToObj(i -> Amounts.of(new ResourceName("example.com/" + invented + i), 1_000_000))
                .reduce(Amounts.NONE, Amounts::plus);
        List<Node> nodes =
                List.of(node("n1", gpu), node("n2", gpu.plus(Amounts.of(ALONE, 1))), node("n3-that-lies", lies));
        return CapacitySample.of(
                CapacityReport.of(PlacementNodes.snapshotOf(nodes), new ClusterUse.UseUnknown(), Selection.ALL),
                Instant.ofEpochSecond(second));
    }

    private static Node node(String name, Amounts has) {
        return new Node(name, Map.of(), List.of(), /* unschedulable= */ false, has, has, 0);
    }

    private static List<ResourceName> shown(List<CapacitySample> samples) {
        return CapacityHistoryDocuments.document(samples).resources().stream()
                .map(HistoryDocument.ResourceHistory::resource)
                .toList();
    }

    @Test
    void aNodeThatInventsDevicesDisplacesNoneOfOtherNodes() {
        CapacitySample sample = sampleBeside(60, "a", 1_000);

        assertThat(shown(List.of(sample)))
                .contains(ResourceName.NVIDIA_GPU, ALONE)
                .hasSize(CapacityHistoryDocuments.MOST_RESOURCES);
    }

    @Test
    void aNodeThatInventsOtherDevicesEachMinuteDisplacesNoneOfTheLastHours() {
        List<CapacitySample> samples = IntStream.range(0, 100)
                .mapToObj(minute -> sampleBeside(60L * minute, "a" + minute + "-", 70))
                .toList();

        assertThat(shown(samples))
                .contains(ResourceName.NVIDIA_GPU, ALONE)
                .hasSize(CapacityHistoryDocuments.MOST_RESOURCES);
    }

    /** The device that pods use comes before what its own node invents. */
    @Test
    void aDeviceThatPodsHaveComesBeforeOthersOfItsNode() {
        Amounts lies = IntStream.range(0, 70)
                .mapToObj(i -> Amounts.of(new ResourceName("example.com/a" + i), 1))
                .reduce(Amounts.NONE, Amounts::plus);
        ClusterUse use =
                new ClusterUse.UseKnown(Map.of("n1", new LedgerNodeUsage(Amounts.of(ALONE, 1), Amounts.NONE)), 0);
        CapacityReport report = CapacityReport.of(
                PlacementNodes.snapshotOf(List.of(node("n1", lies.plus(Amounts.of(ALONE, 1))))), use, Selection.ALL);

        assertThat(shown(List.of(CapacitySample.of(report, Instant.EPOCH)))).contains(ALONE);
    }
}
