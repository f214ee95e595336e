package dev.sluice.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.request.ContainerRequest;
import dev.sluice.admission.request.FallbackChains;
import dev.sluice.admission.request.NamespacePolicy;
import dev.sluice.admission.request.PodRequest;
import dev.sluice.admission.request.PodRequestAnnotations;
import dev.sluice.admission.request.PodRequestAuthoredFields;
import dev.sluice.admission.request.PodRequestAuthoredFields.ContainerResource;
import dev.sluice.admission.request.Policy;
import dev.sluice.admission.request.PolicySwitches;
import dev.sluice.admission.verdict.Reason;
import dev.sluice.admission.verdict.Verdict;
import dev.sluice.admission.verdict.Wording;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.PodContainerKind;
import dev.sluice.cluster.PodPriority;
import dev.sluice.cluster.RandomCluster;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ExactAmounts;
import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A patch that would not make a legal pod is not sent, and the words say whose fault that is. */
class NotLegalTest {

    private static final ResourceName ASKED = new ResourceName("nvidia.com/mig-3g.40gb");
    private static final Amounts OFFERED = Amounts.of(new ResourceName("nvidia.com/mig-2g.20gb"), 8);

    private static final Policy TELLING = PolicySwitches.with(Policy.DEFAULT, Policy.FallbackMessage.ANNOTATION);

    private static Verdict decide(PodRequestAnnotations annotations, Map<ResourceName, Quantity> side) {
        return decide(annotations, side, Policy.DEFAULT);
    }

    private static Verdict decide(PodRequestAnnotations annotations, Map<ResourceName, Quantity> side, Policy policy) {
        Map<ResourceName, Quantity> one = Map.of(ASKED, Quantity.of(1));
        return decide(
                annotations,
                policy,
                new ContainerRequest(PodContainerKind.MAIN, 0, "train", one, one),
                new ContainerRequest(PodContainerKind.MAIN, 1, "side", side, side));
    }

    private static Verdict decide(PodRequestAnnotations annotations, Policy policy, ContainerRequest... containers) {
        PodRequest pod = new PodRequest(
                List.of(containers),
                ExactAmounts.NONE,
                ExactAmounts.NONE,
                /* gated= */ false,
                NodeConstraints.NONE,
                annotations);
        Node node = new Node("a", Map.of(), List.of(), /* unschedulable= */ false, OFFERED, OFFERED, 0);
        return Decider.decide(pod, NamespacePolicy.of(policy), RandomCluster.snapshot(List.of(node)));
    }

    @Test
    void thePodIsToBlameWhereItIsNotLegalAsItIs() {
        Map<ResourceName, Quantity> side =
                Map.of(new ResourceName("hugepages-2Mi"), Quantity.parse("3Mi").orElseThrow());

        assertUntouched(
                decide(PodRequestAnnotations.NONE, side),
                "this pod is not legal (hugepages need cpu or memory in addition in container side)"
                        + " and is left as written");
    }

    @Test
    void aPodIsNotBlamedForALimitThatIsAdded() {
        Map<ResourceName, Quantity> one = Map.of(ASKED, Quantity.of(1));
        Map<ResourceName, Quantity> none = Map.of(ResourceName.NVIDIA_GPU, Quantity.ZERO);

        assertUntouched(
                decide(
                        PodRequestAnnotations.NONE,
                        Policy.DEFAULT,
                        new ContainerRequest(PodContainerKind.MAIN, 0, "train", /* limits= */ null, one),
                        new ContainerRequest(PodContainerKind.MAIN, 1, "side", /* limits= */ null, none)),
                "this pod is not legal (the request of nvidia.com/gpu has no limit in container side)"
                        + " and is left as written");
    }

    @Test
    void theChangeIsToBlameWhereThereIsNoRoomForAnotherAnnotation() {
        PodRequestAnnotations full =
                new PodRequestAnnotations(PodRequestAnnotations.Parent.ANNOTATIONS, Map.of(), 256 * 1024);

        assertUntouched(
                decide(full, Map.of()),
                "the change would not be legal (annotations of 262187 bytes, more than 262144);"
                        + " the pod is left as written");
    }

    @Test
    void theChangeIsMadeWithoutItsMessageWhereOnlyTheMessageHasNoRoom() {
        int roomForTheChange = "gpu-webhook.k8s.io/fallback3g.40gb->2g.20gb".length();
        PodRequestAnnotations almostFull = new PodRequestAnnotations(
                PodRequestAnnotations.Parent.ANNOTATIONS, Map.of(), 256 * 1024 - roomForTheChange);

        Verdict verdict = decide(almostFull, Map.of(), TELLING);

        assertThat(verdict).isEqualTo(decide(almostFull, Map.of()));
        assertThat(verdict)
                .isInstanceOfSatisfying(
                        Verdict.Allowed.class,
                        allowed -> assertThat(allowed.outcome()).isEqualTo(Verdict.Outcome.CHANGED));
        assertThat(decide(PodRequestAnnotations.NONE, Map.of(), TELLING))
                .isNotEqualTo(decide(PodRequestAnnotations.NONE, Map.of()));
    }

    @Test
    void aPodWhoseChangeIsLeftOutReservesWhatItAsksFor() {
        ResourceName fallback = new ResourceName("nvidia.com/mig-2g.20gb");
        Policy policy = PolicySwitches.with(
                Policy.DEFAULT, Policy.Mode.AVAILABILITY, FallbackChains.of(Map.of(ASKED, List.of(fallback))));
        Map<ResourceName, Quantity> one = Map.of(ASKED, Quantity.of(1));
        PodRequest pod = new PodRequest(
                List.of(new ContainerRequest(PodContainerKind.MAIN, 0, "train", one, one)),
                ExactAmounts.NONE,
                ExactAmounts.NONE,
                /* gated= */ false,
                NodeConstraints.NONE,
                new PodRequestAnnotations(PodRequestAnnotations.Parent.ANNOTATIONS, Map.of(), 256 * 1024));
        Amounts offered = Amounts.of(Map.of(ASKED, Quantity.of(1), fallback, Quantity.of(1)));
        Node node = new Node("a", Map.of(), List.of(), /* unschedulable= */ false, offered, offered, 0);
        FreeCapacity onlyFallbackIsFree = new FreeCapacity() {
            @Override
            public boolean isFree(Amounts need, NodeConstraints constraints) {
                return need.get(ASKED) == 0;
            }

            @Override
            public long freeOf(ResourceName device) {
                return device.equals(ASKED) ? 0 : 1;
            }
        };

        Decision decision = Decider.decide(
                pod, NamespacePolicy.of(policy), RandomCluster.snapshot(List.of(node)), onlyFallbackIsFree);

        assertThat(decision.verdict())
                .isInstanceOfSatisfying(
                        Verdict.Allowed.class,
                        allowed -> assertThat(allowed.reason()).isEqualTo(Reason.PATCH_NOT_LEGAL));
        Decision.Claim claim = decision.claim().orElseThrow();
        assertThat(claim.need())
                .isEqualTo(Amounts.of(Map.of(ASKED, Quantity.of(1), ResourceName.PODS, Quantity.of(1))));
        assertThat(claim.isFree()).isFalse();
    }

    /** Sluice would give back what the author asked for, but the pod is not legal and keeps the fallback. */
    @Test
    void aReinvokedPodWhoseChangeIsLeftOutReservesTheFallbackThatItHas() {
        ResourceName fallback = new ResourceName("nvidia.com/mig-2g.20gb");
        Policy policy = PolicySwitches.with(
                Policy.DEFAULT, Policy.Mode.AVAILABILITY, FallbackChains.of(Map.of(ASKED, List.of(fallback))));
        Map<ResourceName, Quantity> one = Map.of(fallback, Quantity.of(1));
        Map<ResourceName, Quantity> pages =
                Map.of(new ResourceName("hugepages-2Mi"), Quantity.parse("3Mi").orElseThrow());
        Map<String, String> annotations = Map.of(PodRequestAnnotations.FALLBACK, "3g.40gb->2g.20gb");
        PodRequest pod = new PodRequest(
                List.of(
                        new ContainerRequest(PodContainerKind.MAIN, 0, "train", one, one),
                        new ContainerRequest(PodContainerKind.MAIN, 1, "side", pages, pages)),
                ExactAmounts.NONE,
                ExactAmounts.NONE,
                /* gated= */ false,
                NodeConstraints.NONE,
                new PodRequestAnnotations(PodRequestAnnotations.Parent.ANNOTATIONS, annotations, 100),
                PodPriority.NORMAL,
                new PodRequestAuthoredFields(/* fallback= */ false, Set.of(new ContainerResource("train", ASKED))));
        Amounts offered = Amounts.of(Map.of(ASKED, Quantity.of(1), fallback, Quantity.of(1)));
        Node node = new Node("a", Map.of(), List.of(), /* unschedulable= */ false, offered, offered, 0);
        FreeCapacity onlyAskedIsFree = new FreeCapacity() {
            @Override
            public boolean isFree(Amounts need, NodeConstraints constraints) {
                return need.get(fallback) == 0;
            }

            @Override
            public long freeOf(ResourceName device) {
                return device.equals(fallback) ? 0 : 1;
            }
        };

        Decision decision =
                Decider.decide(pod, NamespacePolicy.of(policy), RandomCluster.snapshot(List.of(node)), onlyAskedIsFree);

        assertUntouched(
                decision.verdict(),
                "this pod is not legal (hugepages need cpu or memory in addition in container side)"
                        + " and is left as written");
        Decision.Claim claim = decision.claim().orElseThrow();
        assertThat(claim.need().get(fallback)).isEqualTo(1);
        assertThat(claim.need().get(ASKED)).isZero();
        assertThat(claim.isFree()).isFalse();
    }

    private static void assertUntouched(Verdict verdict, String warning) {
        assertThat(verdict)
                .isInstanceOfSatisfying(
                        Verdict.Allowed.class,
                        allowed -> assertThat(allowed)
                                .isEqualTo(Verdict.Allowed.untouched(Reason.PATCH_NOT_LEGAL, allowed.causes())));
        assertThat(Wording.of(verdict).warnings()).containsExactly(warning);
    }
}
