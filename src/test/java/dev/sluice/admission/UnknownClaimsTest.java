package dev.sluice.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.request.ContainerRequest;
import dev.sluice.admission.request.NamespacePolicy;
import dev.sluice.admission.request.PodRequest;
import dev.sluice.admission.request.PodRequestAnnotations;
import dev.sluice.admission.request.Policy;
import dev.sluice.admission.verdict.DecisionCause;
import dev.sluice.admission.verdict.Verdict;
import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.PodContainerKind;
import dev.sluice.cluster.dra.DeviceSupply;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ExactAmounts;
import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.ledger.placement.PlacementNodes;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Where the gateway cannot read the DeviceClasses, DRA may hand out what no node has in Allocatable. */
class UnknownClaimsTest {

    private static final ResourceName SLICE = new ResourceName("nvidia.com/mig-3g.40gb");

    private static Verdict decide(DeviceSupply supply, ResourceName offered) {
        Amounts eight = Amounts.of(offered, 8);
        ClusterSnapshot cluster = PlacementNodes.snapshotOf(
                List.of(new Node("n1", Map.of(), List.of(), /* unschedulable= */ false, eight, eight, 1)), supply);
        Map<ResourceName, Quantity> one = Map.of(SLICE, Quantity.of(1));
        PodRequest pod = new PodRequest(
                List.of(new ContainerRequest(PodContainerKind.MAIN, 0, "main", one, one)),
                ExactAmounts.NONE,
                ExactAmounts.NONE,
                /* gated= */ false,
                NodeConstraints.NONE,
                PodRequestAnnotations.NONE);
        return Decider.decide(pod, NamespacePolicy.of(Policy.DEFAULT), cluster);
    }

    private static void assertKeptForClaims(Verdict verdict) {
        assertThat(verdict).isInstanceOfSatisfying(Verdict.Allowed.class, allowed -> {
            assertThat(allowed.moves()).isEmpty();
            assertThat(allowed.causes()).singleElement().isInstanceOf(DecisionCause.KeptForClaims.class);
        });
    }

    @Test
    void aPodIsNeitherDeniedNorMoved() {
        assertKeptForClaims(decide(DeviceSupply.UNKNOWN, ResourceName.NVIDIA_GPU));
        assertKeptForClaims(decide(DeviceSupply.UNKNOWN, ResourceName.CPU));
    }

    @Test
    void whatANodeOffersIsGivenAsAlways() {
        assertThat(decide(DeviceSupply.UNKNOWN, SLICE))
                .isInstanceOfSatisfying(
                        Verdict.Allowed.class,
                        allowed -> assertThat(allowed.causes()).isEmpty());
    }

    @Test
    void withoutDraAPodIsMovedOrDenied() {
        assertThat(decide(DeviceSupply.NONE, ResourceName.NVIDIA_GPU))
                .isInstanceOfSatisfying(
                        Verdict.Allowed.class,
                        allowed -> assertThat(allowed.moves()).hasSize(1));
        assertThat(decide(DeviceSupply.NONE, ResourceName.CPU)).isInstanceOf(Verdict.Denied.class);
    }
}
