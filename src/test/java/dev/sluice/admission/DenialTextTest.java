package dev.sluice.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.request.ContainerRequest;
import dev.sluice.admission.request.FallbackChains;
import dev.sluice.admission.request.NamespacePolicy;
import dev.sluice.admission.request.PodRequest;
import dev.sluice.admission.request.PodRequestAnnotations;
import dev.sluice.admission.request.Policy;
import dev.sluice.admission.request.PolicySwitches;
import dev.sluice.admission.verdict.DecisionCause;
import dev.sluice.admission.verdict.Reason;
import dev.sluice.admission.verdict.Shortfall;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Denials say what is true of the resource, whole words and all containers. */
class DenialTextTest {

    private static final ResourceName TWO_G = new ResourceName("nvidia.com/mig-2g.20gb");
    private static final ResourceName ONE_G = new ResourceName("nvidia.com/mig-1g.10gb");
    private static final Amounts OFFERED = Amounts.of(TWO_G, 4).plus(Amounts.of(ONE_G, 7));
    private static final Policy DENY = PolicySwitches.with(
            Policy.DEFAULT,
            Policy.Mode.AVAILABILITY,
            Policy.WhenNotOffered.DENY,
            Policy.WhenExhausted.DENY,
            FallbackChains.DEFAULT);

    /** All slices of 2g.20gb are free, and two of 1g.10gb. */
    private record OneNode(Amounts free) implements FreeCapacity {

        @Override
        public boolean isFree(Amounts need, NodeConstraints constraints) {
            return free.covers(need.only((name, _) -> OFFERED.has(name)));
        }

        @Override
        public boolean isPreemptible(Amounts need, NodeConstraints constraints, PodPriority priority) {
            return false;
        }

        @Override
        public boolean mayBeFree(Amounts need, NodeConstraints constraints) {
            return false;
        }

        @Override
        public long freeOf(ResourceName device) {
            return free.get(device);
        }
    }

    private static Verdict.Denied denied(NodeConstraints constraints, List<ContainerRequest> containers) {
        return denied(constraints, containers, ExactAmounts.NONE);
    }

    private static Verdict.Denied denied(
            NodeConstraints constraints, List<ContainerRequest> containers, ExactAmounts overhead) {
        PodRequest pod = new PodRequest(
                containers, ExactAmounts.NONE, overhead, /* gated= */ false, constraints, PodRequestAnnotations.NONE);
        Node node = new Node("n", Map.of(), List.of(), /* unschedulable= */ false, OFFERED, OFFERED, 1);
        Verdict verdict = Decider.decide(
                        pod,
                        NamespacePolicy.of(DENY),
                        RandomCluster.snapshot(List.of(node)),
                        new OneNode(Amounts.of(TWO_G, 4).plus(Amounts.of(ONE_G, 2))))
                .verdict();
        assertThat(verdict).isInstanceOf(Verdict.Denied.class);
        return (Verdict.Denied) verdict;
    }

    private static ContainerRequest asking(int index, String name, ResourceName resource, long count) {
        Map<ResourceName, Quantity> asked = Map.of(resource, Quantity.of(count));
        return new ContainerRequest(PodContainerKind.MAIN, index, name, asked, asked);
    }

    private static String message(Verdict.Denied denied) {
        return Wording.of(denied).message();
    }

    @Test
    void whatNoNodeCanEverGiveIsNotSaidToBeInUse() {
        Verdict.Denied denied = denied(NodeConstraints.NONE, List.of(asking(0, "main", TWO_G, 5)));

        assertThat(denied.reason()).isEqualTo(Reason.EXHAUSTED);
        assertThat(denied.cause())
                .isInstanceOfSatisfying(
                        DecisionCause.Exhausted.class,
                        cause -> assertThat(cause.why())
                                .isEqualTo(new Shortfall.TooFewOnEachNode(TWO_G, 5, 4, /* elsewhere= */ false)));
        assertThat(message(denied))
                .startsWith("container main: no single node offers 5 nvidia.com/mig-2g.20gb (largest 4), and no"
                        + " fallback can be had now either; ")
                .doesNotContain("fewer than");
    }

    @Test
    void theOverheadOfARuntimeClassCountsWithTheResourceThatItNames() {
        ExactAmounts two = ExactAmounts.of(Map.of(TWO_G, Quantity.of(2)));

        assertThat(message(denied(NodeConstraints.NONE, List.of(asking(0, "main", TWO_G, 3)), two)))
                .startsWith("container main: no single node offers 5 nvidia.com/mig-2g.20gb (largest 4), ")
                .doesNotContain("together");
    }

    @Test
    void whatIsFreeOnlyBesideTheOverheadIsNotCalledFreeBesideItself() {
        ExactAmounts overhead = ExactAmounts.of(Map.of(ONE_G, Quantity.of(1), TWO_G, Quantity.of(3)));
        Verdict.Denied denied = denied(NodeConstraints.NONE, List.of(asking(0, "main", ONE_G, 2)), overhead);

        assertThat(message(denied))
                .startsWith("container main: fewer than 3 nvidia.com/mig-1g.10gb are free (2 of 7 on 1 node)")
                .doesNotContain("beside");
    }

    @Test
    void selectorsAndContainersAreNeverCut() {
        String key = "a".repeat(60) + "/" + "b".repeat(60);
        String container = "c".repeat(63);
        Verdict.Denied denied = denied(
                new NodeConstraints(null, Map.of(key, "d".repeat(63), "zone", "x"), null, List.of()),
                List.of(asking(0, container, TWO_G, 1)));

        assertThat(message(denied))
                .startsWith("container " + container + ": ")
                .contains("nodeSelector wants ")
                .doesNotContain("...");
    }

    @Test
    void allContainersThatAreDeniedAreNamedOrCounted() {
        List<ContainerRequest> containers = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            containers.add(asking(i, "c" + i, new ResourceName("nvidia.com/mig-1g.8" + i + "gb"), 1));
        }

        assertThat(message(denied(NodeConstraints.NONE, containers)))
                .startsWith("container c0: no node offers nvidia.com/mig-1g.80gb; ")
                .endsWith("; containers c1 and 4 more ask for other GPUs that they cannot have either");
        assertThat(message(denied(NodeConstraints.NONE, containers.subList(0, 2))))
                .endsWith("; container c1 asks for another GPU that it cannot have either");
        assertThat(message(denied(NodeConstraints.NONE, containers.subList(0, 1))))
                .doesNotContain("either");
    }
}
