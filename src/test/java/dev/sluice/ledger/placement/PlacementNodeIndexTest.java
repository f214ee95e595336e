package dev.sluice.ledger.placement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cluster.Node;
import dev.sluice.cluster.NodeEvent;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PlacementNodeIndexTest {

    private final PlacementNodes nodes = new PlacementNodes();
    private final PlacementNodeIndex index = new PlacementNodeIndex();

    private void offers(ResourceName device, long version) {
        Amounts one = Amounts.of(device, 1);
        NodeEvent seen = new NodeEvent.NodeSeen(
                new Node("n", Map.of(), List.of(), /* unschedulable= */ false, one, one, version));
        var _ = nodes.apply(seen);
        var _ = index.update(nodes, seen);
    }

    /** Otherwise a kubelet that reports new names again and again would fill the memory. */
    @Test
    void aDeviceThatNoNodeHasAnyMoreIsForgotten() {
        ResourceName former = new ResourceName("example.com/former");
        ResourceName now = new ResourceName("example.com/now");

        offers(former, 1);
        offers(now, 2);

        assertThat(index.isDevice(former)).isFalse();
        assertThat(index.deviceTotals()).containsOnlyKeys(now);
        assertThat(index.isDevice(now)).isTrue();
    }
}
