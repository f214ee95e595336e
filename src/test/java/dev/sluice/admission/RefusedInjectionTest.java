package dev.sluice.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.injection.Injection;
import dev.sluice.admission.injection.InjectionCoefficient;
import dev.sluice.admission.injection.InjectionPodResources;
import dev.sluice.admission.injection.InjectionResourceRule;
import dev.sluice.admission.injection.InjectionResourceRule.Unit;
import dev.sluice.admission.injection.InjectionRule;
import dev.sluice.admission.injection.InjectionRules;
import dev.sluice.admission.injection.InjectionRules.GpuTypes;
import dev.sluice.admission.injection.InjectionRules.RuleInUse;
import dev.sluice.admission.injection.Injector;
import dev.sluice.admission.request.ContainerRequest;
import dev.sluice.admission.request.NamespacePolicy;
import dev.sluice.admission.request.PodRequest;
import dev.sluice.admission.request.PodRequestAnnotations;
import dev.sluice.admission.request.Policy;
import dev.sluice.admission.verdict.CandidateVerdict;
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
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Nothing is done to a pod that injection refuses, so it is not warned of anything that was about to be done. */
class RefusedInjectionTest {

    private static final ResourceName SLICE = new ResourceName("nvidia.com/mig-2g.20gb");

    /** Four cpu for each whole GPU, where another container asks for five. */
    private static Verdict decide(Map<String, String> annotations, Amounts offered, long slices) {
        InjectionRule four = new InjectionRule(
                List.of(new InjectionResourceRule(
                        ResourceName.CPU, InjectionCoefficient.parse("4").orElseThrow(), Unit.NONE)),
                Map.of());
        Map<ResourceName, InjectionRule> rules = Map.of(ResourceName.NVIDIA_GPU, four, SLICE, four);
        Injector injector = new Injector(
                new InjectionRules(new GpuTypes(Map.of("T", rules)), Map.of(), Set.of()),
                Injector.UserValues.OVERWRITTEN);
        PodRequest pod = new PodRequest(
                List.of(
                        container(0, Map.of(SLICE, Quantity.of(slices))),
                        container(1, Map.of(ResourceName.CPU, Quantity.of(5)))),
                ExactAmounts.NONE,
                ExactAmounts.NONE,
                /* gated= */ false,
                NodeConstraints.NONE,
                PodRequestAnnotations.NONE
                        .with(Map.of(InjectionPodResources.TYPE, "T"))
                        .with(annotations));
        Node node = new Node("a", Map.of(), List.of(), /* unschedulable= */ false, offered, offered, 0);
        return Decider.decide(
                pod, new NamespacePolicy(Policy.DEFAULT, injector, "team-a"), RandomCluster.snapshot(List.of(node)));
    }

    private static ContainerRequest container(int index, Map<ResourceName, Quantity> requests) {
        return new ContainerRequest(PodContainerKind.MAIN, index, "c" + index, /* limits= */ null, requests);
    }

    private static Verdict.Denied refused(Map<String, String> annotations, ResourceName offered) {
        return refused(annotations, offered, 1);
    }

    private static Verdict.Denied refused(Map<String, String> annotations, ResourceName offered, long slices) {
        Verdict verdict = decide(annotations, Amounts.of(Map.of(offered, Quantity.of(4))), slices);
        assertThat(verdict).isInstanceOf(Verdict.Denied.class);
        Verdict.Denied denied = (Verdict.Denied) verdict;
        assertThat(denied.reason()).isEqualTo(Reason.INJECTION_REFUSED);
        return denied;
    }

    /** The slice is set in requests only, which is worth a warning of its own where the limit is added. */
    @Test
    void isNotWarnedOfWhatWasNotDone() {
        assertThat(refused(Map.of(), ResourceName.NVIDIA_GPU).causes()).isEmpty();
        assertThat(refused(Map.of(), new ResourceName("amd.com/gpu")).causes()).isEmpty();
        assertThat(refused(Map.of(), SLICE).causes()).isEmpty();
    }

    @Test
    void isToldWhatRefusesIt() {
        assertThat(refused(Map.of(), SLICE).injection())
                .isInstanceOfSatisfying(
                        Injection.Refused.class,
                        refused -> assertThat(refused.refusal().rule().map(RuleInUse::key))
                                .contains("resourceMap.T.nvidia.com/mig-2g.20gb"));
    }

    @Test
    void isWarnedOfTheModeThatIsIgnored() {
        assertThat(Wording.of(refused(Map.of(PodRequestAnnotations.FALLBACK_MODE, "always"), ResourceName.NVIDIA_GPU))
                        .warnings())
                .singleElement()
                .asString()
                .contains("fallback-mode", "is ignored");
    }

    @Test
    void isNotWarnedOfTheModeWhereItAsksForNoGpu() {
        assertThat(refused(Map.of(PodRequestAnnotations.FALLBACK_MODE, "always"), SLICE, 0)
                        .causes())
                .isEmpty();
    }

    /** So nobody is told of a fault of a node that has nothing to do with it. */
    @Test
    void doesNotLackWhatIsOffered() {
        assertThat(refused(Map.of(), SLICE).candidates()).isNotEmpty().noneMatch(CandidateVerdict::isLacked);
    }
}
