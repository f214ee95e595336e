package dev.sluice.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.injection.Injection;
import dev.sluice.admission.request.ContainerRequest;
import dev.sluice.admission.request.FallbackChains;
import dev.sluice.admission.request.PodRequest;
import dev.sluice.admission.request.PodRequestAnnotations;
import dev.sluice.admission.verdict.DecisionCause;
import dev.sluice.admission.verdict.DecisionCause.LimitAdded;
import dev.sluice.admission.verdict.DecisionCauseContainers;
import dev.sluice.admission.verdict.VerdictTexts;
import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.PodContainerKind;
import dev.sluice.cluster.quantity.ExactAmounts;
import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.record.RecordedReviewHead.PodOwner;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Whatever a pod's author writes, a record of it stays small. */
class BoundedRecordTest {

    private static final String ENDLESS = "x".repeat(1_000_000);
    private static final Quantity ONE = Quantity.of(1);

    private static PodRequest pod(List<ContainerRequest> containers) {
        return new PodRequest(
                containers,
                ExactAmounts.NONE,
                ExactAmounts.NONE,
                /* gated= */ false,
                NodeConstraints.NONE,
                PodRequestAnnotations.NONE);
    }

    private static ContainerRequest container(String name, Map<ResourceName, Quantity> limits) {
        return new ContainerRequest(PodContainerKind.MAIN, 0, name, limits, null);
    }

    private static RecordedPod recorded(List<ContainerRequest> containers) {
        return RecordedPod.asking(
                new RecordedReviewHead("u", "team", "train", PodOwner.NONE, /* dryRun= */ false),
                pod(containers),
                FallbackChains.DEFAULT::isGpu);
    }

    @Test
    void keepsWhatAContainerAsksOfGpusAndNothingElse() {
        Map<ResourceName, Quantity> limits = Map.of(
                ResourceName.NVIDIA_GPU, ONE, ResourceName.CPU, ONE, new ResourceName("amd.com/gpu"), Quantity.ZERO);

        assertThat(recorded(List.of(container("train", limits), container("log", Map.of(ResourceName.CPU, ONE))))
                        .containers())
                .containsExactly(
                        new RecordedContainer("train", PodContainerKind.MAIN, Map.of(ResourceName.NVIDIA_GPU, ONE)));
    }

    @Test
    void namesAreCut() {
        RecordedReviewHead head =
                new RecordedReviewHead(ENDLESS, ENDLESS, ENDLESS, new PodOwner(ENDLESS, ENDLESS), /* dryRun= */ false);

        assertThat(List.of(
                        head.uid(),
                        head.namespace(),
                        head.podName(),
                        head.owner().kind(),
                        head.owner().name()))
                .allMatch(name -> name.length() == 253);
        assertThat(recorded(List.of(container(ENDLESS, Map.of(ResourceName.NVIDIA_GPU, ONE))))
                        .containers()
                        .getFirst()
                        .name())
                .hasSize(253);
    }

    @Test
    void manyContainersAreCounted() {
        RecordedPod recorded =
                recorded(Collections.nCopies(1_000, container("train", Map.of(ResourceName.NVIDIA_GPU, ONE))));

        assertThat(recorded.containers()).hasSize(RecordedPod.MOST_CONTAINERS);
        assertThat(recorded.more()).isEqualTo(1_000 - RecordedPod.MOST_CONTAINERS);
    }

    @Test
    void manyResourcesAreLeftOut() {
        Map<ResourceName, Quantity> limits = new HashMap<>();
        IntStream.range(0, 1_000).forEach(i -> limits.put(new ResourceName("nvidia.com/mig-" + i + "g.1gb"), ONE));

        assertThat(recorded(List.of(container("train", limits)))
                        .containers()
                        .getFirst()
                        .asked())
                .hasSize(RecordedContainer.MOST_RESOURCES);
    }

    @Test
    void aResourceWithAnEndlessNameIsNotKept() {
        assertThat(recorded(List.of(container("train", Map.of(new ResourceName("nvidia.com/mig-" + ENDLESS), ONE))))
                        .containers())
                .isEmpty();
    }

    @Test
    void manyWarningsAreCounted() {
        RecordedUserMessages told = RecordedUserMessages.of(new VerdictTexts(Collections.nCopies(1_000, "w"), ""));

        assertThat(told.warnings()).hasSize(6);
        assertThat(told.omitted()).isEqualTo(994);
    }

    private static DecisionCause added(String container) {
        return new LimitAdded(
                new DecisionCauseContainers(List.of(container), 1, PodContainerKind.MAIN), ResourceName.NVIDIA_GPU);
    }

    @Test
    void causesAreKeptWhereTheyAreSmall() {
        assertThat(RecordedCauses.of(List.of(added("train")))).containsExactly(added("train"));
        assertThat(RecordedCauses.of(added("a"), List.of(added("b")))).containsExactly(added("a"), added("b"));
    }

    @Test
    void causesWithEndlessWordsAreNotKept() {
        assertThat(RecordedCauses.of(List.of(added(ENDLESS)))).isEmpty();
        assertThat(RecordedCauses.of(Collections.nCopies(9, added("train")))).isEmpty();
        assertThat(RecordedCauses.of(added("train"), Collections.nCopies(8, added("train"))))
                .isEmpty();
    }

    @Test
    void theTypeOfAnInjectionIsCut() {
        assertThat(RecordedInjection.of(
                                new Injection.Refused(new Injection.Refusal.DifferentResources(ENDLESS, List.of())))
                        .gpuType())
                .hasSize(253);
    }
}
