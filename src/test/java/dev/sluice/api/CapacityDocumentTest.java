package dev.sluice.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.CapacityReport.ClusterUse;
import dev.sluice.api.CapacityReport.LeftOut;
import dev.sluice.api.CapacityReport.Selection;
import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.cluster.MalformedClusterObjects;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.ledger.LedgerNodeUsage;
import dev.sluice.ledger.placement.PlacementNodes;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CapacityDocumentTest {

    private static final Amounts HAS = Amounts.of(ResourceName.CPU, 2_500).plus(Amounts.of(ResourceName.NVIDIA_GPU, 4));
    private static final ClusterSnapshot CLUSTER = PlacementNodes.snapshotOf(
            List.of(new Node("n1", Map.of(), List.of(), /* unschedulable= */ true, HAS, HAS, 0)));

    @Test
    void saysNothingOfWhatIsTakenWhilePodsAreNotKnown() {
        CapacityReport report = CapacityReport.of(CLUSTER, new ClusterUse.UseUnknown(), Selection.ALL);

        assertThat(text(report)).isEqualTo("""
                {"generation":1,"podsKnown":false,\
                "passedOver":{"nodes":{"count":0,"names":[]},"pods":{"count":0,"names":[]}},\
                "cluster":[{"resource":"nvidia.com/gpu","capacity":4,"allocatable":4,"nodes":1,"largest":4},\
                {"resource":"cpu","capacity":2.5,"allocatable":2.5,"nodes":1,"largest":2.5}],\
                "nodes":[{"node":"n1","cordoned":true,\
                "resources":[{"resource":"nvidia.com/gpu","capacity":4,"allocatable":4},\
                {"resource":"cpu","capacity":2.5,"allocatable":2.5}]}]}""");
    }

    @Test
    void saysWhatIsTakenOnceTheyAre() {
        LedgerNodeUsage usage =
                new LedgerNodeUsage(Amounts.of(ResourceName.NVIDIA_GPU, 1), Amounts.of(ResourceName.NVIDIA_GPU, 2));

        CapacityReport report = CapacityReport.of(
                        CLUSTER,
                        new ClusterUse.UseKnown(Map.of("n1", usage), 3),
                        new Selection(_ -> true, ResourceName.NVIDIA_GPU::equals))
                .without(new LeftOut(
                        MalformedClusterObjects.NONE, new MalformedClusterObjects(9, 7, List.of("team/a"))));

        assertThat(text(report)).isEqualTo("""
                {"generation":1,"podsKnown":true,"unplaced":3,\
                "passedOver":{"nodes":{"count":0,"names":[]},"pods":{"count":7,"names":["team/a"]}},\
                "cluster":[{"resource":"nvidia.com/gpu","capacity":4,"allocatable":4,\
                "allocated":1,"reserved":2,"available":1,"nodes":1,"largest":4,"largestAvailable":1}],\
                "nodes":[{"node":"n1","cordoned":true,"resources":[\
                {"resource":"nvidia.com/gpu","capacity":4,"allocatable":4,\
                "allocated":1,"reserved":2,"available":1}]}]}""");
    }

    private static String text(CapacityReport report) {
        return ApiJson.text(CapacityDocument.of(report));
    }
}
