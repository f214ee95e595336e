package dev.sluice.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.sluice.admission.injection.Injection;
import dev.sluice.admission.injection.InjectionCoefficient;
import dev.sluice.admission.injection.InjectionPodResources;
import dev.sluice.admission.injection.InjectionResourceRule;
import dev.sluice.admission.injection.InjectionResourceRule.Unit;
import dev.sluice.admission.injection.InjectionRule;
import dev.sluice.admission.injection.InjectionRules;
import dev.sluice.admission.injection.InjectionRules.GpuTypes;
import dev.sluice.admission.injection.Injector;
import dev.sluice.admission.request.ContainerRequest;
import dev.sluice.admission.request.FallbackChains;
import dev.sluice.admission.request.NamespacePolicy;
import dev.sluice.admission.request.PodRequest;
import dev.sluice.admission.request.PodRequestAnnotations;
import dev.sluice.admission.request.PodRequestReplacement;
import dev.sluice.admission.request.Policy;
import dev.sluice.admission.request.PolicySwitches;
import dev.sluice.admission.verdict.Reason;
import dev.sluice.admission.verdict.Verdict;
import dev.sluice.admission.verdict.Wording;
import dev.sluice.cluster.Node;
import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.PodContainerKind;
import dev.sluice.cluster.RandomCluster;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.ExactAmounts;
import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.lease.ReservingDecisionStamp;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Availability mode looks for room for the pod as injection will make it. */
class InjectedDemandTest {

    private static final ResourceName SLICE = new ResourceName("nvidia.com/mig-2g.20gb");
    private static final ResourceName GPU = ResourceName.NVIDIA_GPU;

    private final List<Amounts> looked = new ArrayList<>();

    private static InjectionRule cpu(String each) {
        return new InjectionRule(
                List.of(new InjectionResourceRule(
                        ResourceName.CPU, InjectionCoefficient.parse(each).orElseThrow(), Unit.NONE)),
                Map.of());
    }

    private static NamespacePolicy policy() {
        Policy policy = PolicySwitches.with(
                Policy.DEFAULT, Policy.Mode.AVAILABILITY, FallbackChains.of(Map.of(SLICE, List.of(GPU))));
        InjectionRules rules = new InjectionRules(
                new GpuTypes(Map.of("T", Map.of(SLICE, cpu("8"), GPU, cpu("2")))), Map.of(), Set.of());
        return new NamespacePolicy(policy, new Injector(rules, Injector.UserValues.OVERWRITTEN), "team-a");
    }

    private static PodRequest pod(String sideCpu) {
        Map<ResourceName, Quantity> one = Map.of(SLICE, Quantity.of(1));
        Map<ResourceName, Quantity> side =
                Map.of(ResourceName.CPU, Quantity.parse(sideCpu).orElseThrow());
        return new PodRequest(
                List.of(
                        new ContainerRequest(PodContainerKind.MAIN, 0, "train", one, one),
                        new ContainerRequest(PodContainerKind.MAIN, 1, "side", null, side)),
                ExactAmounts.NONE,
                ExactAmounts.NONE,
                /* gated= */ false,
                NodeConstraints.NONE,
                PodRequestAnnotations.NONE.with(Map.of(InjectionPodResources.TYPE, "T")));
    }

    /** Room for pods of so much cpu. */
    private Decision decide(PodRequest pod, long mostMilliCpu) {
        Amounts offered = Amounts.of(Map.of(SLICE, Quantity.of(4), GPU, Quantity.of(4)));
        Node node = new Node("a", Map.of(), List.of(), /* unschedulable= */ false, offered, offered, 0);
        FreeCapacity room = new FreeCapacity() {
            @Override
            public boolean isFree(Amounts need, NodeConstraints constraints) {
                looked.add(need);
                return need.get(ResourceName.CPU) <= mostMilliCpu;
            }

            @Override
            public long freeOf(ResourceName device) {
                return 4;
            }
        };
        return Decider.decide(pod, policy(), RandomCluster.snapshot(List.of(node)), room);
    }

    @Test
    void takesTheFirstWhoseInjectedCpuHasRoom() {
        assertThat(moves(decide(pod("1"), 8_000))).isEmpty();
        assertThat(moves(decide(pod("1"), 7_999))).containsExactly(new PodRequestReplacement(SLICE, GPU));
    }

    private static List<PodRequestReplacement> moves(Decision decision) {
        return ((Verdict.Allowed) decision.verdict()).moves();
    }

    @Test
    void reservesWhatIsInjected() {
        Decision decision = decide(pod("1"), 4_000);

        assertThat(decision.claim().orElseThrow().need())
                .isEqualTo(Amounts.of(Map.of(
                        ResourceName.CPU, Quantity.of(2), GPU, Quantity.of(1), ResourceName.PODS, Quantity.of(1))));
    }

    @Test
    void theVerdictNamesTheRuleWithAndWithoutItsStamp() {
        PodRequest pod = pod("1");
        Verdict.Allowed verdict = (Verdict.Allowed) decide(pod, 4_000).verdict();

        assertThat(verdict.injection())
                .asInstanceOf(type(Injection.Injected.class))
                .satisfies(given -> assertThat(given.use().key()).isEqualTo("resourceMap.T.nvidia.com/gpu"));
        assertThat(ReservingDecisionStamp.stamped(verdict, pod, "stamp")
                        .orElseThrow()
                        .injection())
                .isEqualTo(verdict.injection());
    }

    @Test
    void anInjectionThatRefusesRefusesThePodAndReservesNothing() {
        Decision decision = decide(pod("3"), 7_999);

        assertThat(decision.verdict()).asInstanceOf(type(Verdict.Denied.class)).satisfies(denied -> {
            assertThat(denied.reason()).isEqualTo(Reason.INJECTION_REFUSED);
            assertThat(Wording.of(denied).message())
                    .contains("requests of 3 cpu", "too large", "nvidia.com/gpu (given for nvidia.com/mig-2g.20gb)");
        });
        assertThat(decision.claim()).isEmpty();
        assertThat(looked).allSatisfy(need -> assertThat(need.get(GPU)).isZero());
    }

    /** The API server refuses such a pod, but only after it has asked. */
    @Test
    void lessThanNothingOfAnythingIsNotJudgedAndReservesNothing() {
        PodRequest pod = pod("1");
        ExactAmounts less = ExactAmounts.of(Map.of(SLICE, Quantity.parse("-5").orElseThrow()));
        PodRequest withOverhead = new PodRequest(
                pod.containers(), ExactAmounts.NONE, less, /* gated= */ false, NodeConstraints.NONE, pod.annotations());

        for (PodRequest negative : List.of(pod("-1"), withOverhead)) {
            Decision decision = decide(negative, 8_000);
            assertThat(decision.verdict()).isEqualTo(Verdict.Allowed.untouched(Reason.INVALID_QUANTITY, List.of()));
            assertThat(decision.claim()).isEmpty();
        }
    }
}
