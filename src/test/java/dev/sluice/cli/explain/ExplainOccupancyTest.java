package dev.sluice.cli.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.ExplanationOccupancy.PodBinding;
import dev.sluice.admission.ExplanationOccupancy.PodOnNode;
import dev.sluice.api.CapacityReport.LeftOut;
import dev.sluice.api.ClusterContents;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.PodId;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExplainOccupancyTest {

    private static Pod web(String node, long millicores) {
        Amounts requests = Amounts.of(ResourceName.CPU, millicores);
        return new Pod(PodId.of("web"), "team/web", new Pod.Place.Bound(node), requests, "", 0);
    }

    @Test
    void believesTheLastWordOfAPodThatIsListedTwice() {
        ExplainOccupancy occupancy = new ExplainOccupancy(
                new ClusterContents(List.of(), List.of(web("n1", 1000), web("n2", 2000)), LeftOut.NOTHING));

        assertThat(occupancy.occupants("n1")).isEmpty();
        assertThat(occupancy.occupants("n2"))
                .containsExactly(new PodOnNode("team/web", PodBinding.BOUND, Amounts.of(ResourceName.CPU, 2000)));
    }
}
