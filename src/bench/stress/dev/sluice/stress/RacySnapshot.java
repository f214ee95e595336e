package dev.sluice.stress;

import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.cluster.Labels;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.NodeLabelKeys;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.ledger.placement.PlacementNodes;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * A snapshot that is handed over by a plain field, with no order whatever between writer and reader, is seen whole or
 * not at all: all that it reaches is final.
 */
@JCStressTest
@Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "not there yet")
@Outcome(id = "7", expect = Expect.ACCEPTABLE, desc = "whole")
@Outcome(expect = Expect.FORBIDDEN, desc = "in part")
@State
public class RacySnapshot {

    private static final NodeConstraints IN_ZONE_A = new NodeConstraints(null, Map.of("zone", "a"), null, List.of());

    private @Nullable ClusterSnapshot snapshot;

    @Actor
    public void writer() {
        Amounts devices = Amounts.of(ResourceName.NVIDIA_GPU, 4);
        Labels labels = new Labels(new NodeLabelKeys(List.of("zone", "pool")), List.of("a"), "x");
        Node node = new Node("n1", labels, List.of(), /* unschedulable= */ false, devices, devices, 1);
        snapshot = PlacementNodes.snapshotOf(List.of(node));
    }

    @Actor
    public void reader(I_Result seen) {
        ClusterSnapshot cluster = snapshot;
        if (cluster != null) {
            boolean lists = cluster.size() == 1;
            boolean offers = cluster.offers(Amounts.of(ResourceName.NVIDIA_GPU, 4), IN_ZONE_A);
            boolean reads = cluster.nodesByName().stream()
                    .allMatch(node -> node.labels().containsValue("x"));
            seen.r1 = (lists ? 1 : 0) + (offers ? 2 : 0) + (reads ? 4 : 0);
        }
    }
}
