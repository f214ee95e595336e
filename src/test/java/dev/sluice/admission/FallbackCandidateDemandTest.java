package dev.sluice.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.injection.InjectionPodResources;
import dev.sluice.admission.injection.Injector;
import dev.sluice.admission.patch.PodPatch.Attempt;
import dev.sluice.admission.request.ContainerRequest;
import dev.sluice.admission.request.GpuRequest;
import dev.sluice.admission.request.NamespacePolicy;
import dev.sluice.admission.request.PodRequest;
import dev.sluice.admission.request.PodRequestAnnotations;
import dev.sluice.admission.request.PodRequestReplacement;
import dev.sluice.admission.request.Policy;
import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.PodContainerKind;
import dev.sluice.cluster.quantity.ExactAmounts;
import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FallbackCandidateDemandTest {

    private static final ResourceName SLICE = new ResourceName("nvidia.com/mig-2g.20gb");
    private static final List<PodRequestReplacement> MOVES =
            List.of(new PodRequestReplacement(SLICE, ResourceName.NVIDIA_GPU));

    private static FallbackCandidateDemand demand() {
        Map<ResourceName, Quantity> one = Map.of(SLICE, Quantity.of(1));
        PodRequest pod = new PodRequest(
                List.of(new ContainerRequest(PodContainerKind.MAIN, 0, "train", one, one)),
                ExactAmounts.NONE,
                ExactAmounts.NONE,
                /* gated= */ false,
                NodeConstraints.NONE,
                PodRequestAnnotations.NONE.with(Map.of(InjectionPodResources.TYPE, "T")));
        return new FallbackCandidateDemand(
                GpuRequest.of(pod, Policy.DEFAULT), new NamespacePolicy(Policy.DEFAULT, Injector.NONE, "team-a"));
    }

    @Test
    void aDemandThatIsKnownIsNotTriedAgain() {
        FallbackCandidateDemand demand = demand();
        assertThat(demand.after(List.of())).isPresent();
        Attempt tried = demand.attempt(MOVES);

        assertThat(demand.after(List.of())).isPresent();
        assertThat(demand.attempt(MOVES)).isSameAs(tried);
    }

    /** An attempt holds every container of the pod, of which there may be thousands. */
    @Test
    void keepsNoMoreThanOneAttempt() {
        FallbackCandidateDemand demand = demand();
        Attempt first = demand.attempt(List.of());
        assertThat(demand.attempt(MOVES)).isNotSameAs(first);

        assertThat(demand.attempt(List.of())).isNotSameAs(first);
    }
}
