package dev.sluice.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.request.ContainerRequest;
import dev.sluice.admission.request.NamespacePolicy;
import dev.sluice.admission.request.PodRequest;
import dev.sluice.admission.request.PodRequestAnnotations;
import dev.sluice.admission.request.Policy;
import dev.sluice.admission.request.Policy.WhenExhausted;
import dev.sluice.admission.request.Policy.WhenNotOffered;
import dev.sluice.admission.request.Policy.WhenUnreadable;
import dev.sluice.admission.request.PolicySwitches;
import dev.sluice.admission.verdict.Reason;
import dev.sluice.admission.verdict.Verdict;
import dev.sluice.admission.verdict.Wording;
import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.PodContainerKind;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ExactAmounts;
import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.ledger.placement.PlacementNodes;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What cannot be read, or not evaluated, is answered by the policy. */
class UnreadablePodDecisionTest {

    private static final ResourceName GPU = ResourceName.NVIDIA_GPU;
    private static final ClusterSnapshot CLUSTER = cluster();

    private static ClusterSnapshot cluster() {
        Amounts eight = Amounts.of(GPU, 8);
        return PlacementNodes.snapshotOf(
                List.of(new Node("n1", Map.of(), List.of(), /* unschedulable= */ false, eight, eight, 0)));
    }

    private static Policy policy(
            Policy.Mode mode, WhenNotOffered offered, WhenExhausted exhausted, @Nullable WhenUnreadable unreadable) {
        Policy policy = PolicySwitches.with(Policy.DEFAULT, mode, offered, exhausted);
        return unreadable == null ? policy : PolicySwitches.with(policy, unreadable);
    }

    private static Policy allocatable(@Nullable WhenUnreadable unreadable) {
        return policy(Policy.Mode.ALLOCATABLE, WhenNotOffered.KEEP, WhenExhausted.WAIT, unreadable);
    }

    private static PodRequest pod(ResourceName asked, @Nullable String nodeName) {
        Map<ResourceName, Quantity> one = Map.of(asked, Quantity.of(1));
        return new PodRequest(
                List.of(new ContainerRequest(PodContainerKind.MAIN, 0, "train", one, one)),
                ExactAmounts.NONE,
                ExactAmounts.NONE,
                /* gated= */ false,
                NodeConstraints.notEvaluated(nodeName, "its tolerations are too many"),
                PodRequestAnnotations.NONE);
    }

    private static Verdict decide(PodRequest pod, Policy policy) {
        return Decider.decide(pod, NamespacePolicy.of(policy), CLUSTER);
    }

    @Test
    void followsTheOtherSwitchesUnlessItIsWritten() {
        assertThat(allocatable(null).unreadable()).isEqualTo(WhenUnreadable.KEEP);
        assertThat(allocatable(WhenUnreadable.DENY).unreadable()).isEqualTo(WhenUnreadable.DENY);
        assertThat(policy(Policy.Mode.ALLOCATABLE, WhenNotOffered.DENY, WhenExhausted.WAIT, null)
                        .unreadable())
                .isEqualTo(WhenUnreadable.DENY);
        assertThat(policy(Policy.Mode.ALLOCATABLE, WhenNotOffered.DENY, WhenExhausted.WAIT, WhenUnreadable.KEEP)
                        .unreadable())
                .isEqualTo(WhenUnreadable.KEEP);
        assertThat(policy(Policy.Mode.AVAILABILITY, WhenNotOffered.KEEP, WhenExhausted.DENY, null)
                        .unreadable())
                .isEqualTo(WhenUnreadable.DENY);
        assertThat(policy(Policy.Mode.ALLOCATABLE, WhenNotOffered.KEEP, WhenExhausted.DENY, null)
                        .unreadable())
                .isEqualTo(WhenUnreadable.KEEP);
    }

    private static Consumer<Verdict.Allowed> untouched(Reason reason, String warning) {
        return allowed -> {
            assertThat(allowed).isEqualTo(Verdict.Allowed.untouched(reason, allowed.causes()));
            assertThat(Wording.of(allowed).warnings()).containsExactly(warning);
        };
    }

    @Test
    void keepsOrDeniesWhatCannotBeRead() {
        assertThat(UnreadablePodDecision.malformed("spec is not a map", allocatable(WhenUnreadable.KEEP)))
                .isInstanceOfSatisfying(
                        Verdict.Allowed.class,
                        untouched(
                                Reason.MALFORMED_POD,
                                "this pod cannot be read: spec is not a map; it is allowed unchanged"));
        assertThat(UnreadablePodDecision.malformed("spec is not a map", allocatable(WhenUnreadable.DENY)))
                .isInstanceOfSatisfying(Verdict.Denied.class, denied -> {
                    assertThat(denied.reason()).isEqualTo(Reason.MALFORMED_POD);
                    assertThat(Wording.of(denied).message())
                            .isEqualTo("this pod cannot be read: spec is not a map;"
                                    + " the policy of this namespace refuses such pods");
                });
        assertThat(UnreadablePodDecision.absent(allocatable(WhenUnreadable.DENY)))
                .isInstanceOf(Verdict.Denied.class);
        assertThat(UnreadablePodDecision.absent(allocatable(WhenUnreadable.KEEP)))
                .isInstanceOf(Verdict.Allowed.class);
    }

    @Test
    void keepsOrDeniesWhatCannotBeEvaluated() {
        assertThat(decide(pod(GPU, null), allocatable(WhenUnreadable.KEEP)))
                .isInstanceOfSatisfying(
                        Verdict.Allowed.class,
                        untouched(
                                Reason.CANNOT_BE_EVALUATED,
                                "where this pod may run cannot be evaluated: its tolerations are too many;"
                                        + " it is allowed unchanged"));
        assertThat(decide(pod(GPU, null), allocatable(WhenUnreadable.DENY)))
                .isInstanceOfSatisfying(
                        Verdict.Denied.class,
                        denied -> assertThat(denied.reason()).isEqualTo(Reason.CANNOT_BE_EVALUATED));
    }

    @Test
    void lookAtNoConstraintsOfAPodWithoutGpu() {
        assertThat(decide(pod(ResourceName.CPU, null), allocatable(WhenUnreadable.DENY)))
                .isEqualTo(new Verdict.NoGpu());
    }

    /** Where it may run is the node that it names, and nobody looks at the rest. */
    @Test
    void holdsAPodAgainstTheNodeItNamesInAvailabilityMode() {
        Policy policy = policy(Policy.Mode.AVAILABILITY, WhenNotOffered.KEEP, WhenExhausted.DENY, null);
        FreeCapacity free = new FreeCapacity() {
            @Override
            public boolean isFree(Amounts need, NodeConstraints constraints) {
                return true;
            }

            @Override
            public long freeOf(ResourceName device) {
                return 8;
            }
        };
        NamespacePolicy here = NamespacePolicy.of(policy);
        assertThat(Decider.decide(pod(GPU, "n1"), here, CLUSTER, free).claim()).isPresent();
        Decision unknown = Decider.decide(pod(GPU, null), here, CLUSTER, free);
        assertThat(unknown.verdict()).isInstanceOf(Verdict.Denied.class);
        assertThat(unknown.claim()).isEmpty();
        Policy keeping = policy(Policy.Mode.AVAILABILITY, WhenNotOffered.KEEP, WhenExhausted.WAIT, WhenUnreadable.KEEP);
        assertThat(Decider.decide(pod(GPU, null), NamespacePolicy.of(keeping), CLUSTER, free)
                        .claim())
                .isEmpty();
    }
}
