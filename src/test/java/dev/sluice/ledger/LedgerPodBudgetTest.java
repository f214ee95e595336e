package dev.sluice.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cluster.NodeConstraints;
import dev.sluice.cluster.NodeRequirement;
import dev.sluice.cluster.NodeRequirement.Operator;
import dev.sluice.cluster.NodeSelectorTerm;
import dev.sluice.cluster.Pod;
import dev.sluice.cluster.PodEvent;
import dev.sluice.cluster.Toleration;
import dev.sluice.cluster.quantity.Amounts;
import dev.sluice.cluster.quantity.Quantity;
import dev.sluice.cluster.quantity.ResourceName;
import dev.sluice.ledger.LedgerStatistics.AuditDifference;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What all pods together take of the ledger is bounded, and still each is counted rightly. */
class LedgerPodBudgetTest {

    private static final Pod.Place UNKNOWN = new Pod.Place.UnknownPlace();

    /** As large as constraints can be, and different from all others. */
    private static NodeConstraints large(int number) {
        List<String> values = IntStream.range(0, 1_000)
                .mapToObj(i -> number + "-" + "n".repeat(50) + i)
                .toList();
        return new NodeConstraints(
                null,
                Map.of(),
                List.of(new NodeSelectorTerm(List.of(new NodeRequirement("k", Operator.IN, values)), List.of())),
                List.of());
    }

    private static NodeConstraints tolerating(String taint) {
        Toleration toleration = new Toleration(taint, Toleration.TolerationOperator.EXISTS, "", "");
        return new NodeConstraints(null, Map.of(), null, List.of(toleration));
    }

    @Test
    void holdsEqualConstraintsOnceAndOnlySoMany() {
        LedgerPodBudget budget = new LedgerPodBudget();
        NodeConstraints first = budget.take(large(0), /* promised= */ true);
        assertThat(first).isNotNull().isSameAs(budget.take(large(0), /* promised= */ true));
        int held = 1;
        while (budget.take(large(held), /* promised= */ true) != null) {
            held++;
        }
        assertThat(held * large(0).weight()).isBetween(LedgerPodBudget.MOST_BYTES / 2, LedgerPodBudget.MOST_BYTES);
        budget.giveBack(large(0));
        assertThat(budget.take(large(held), /* promised= */ true))
                .as("another pod still waits with it")
                .isNull();
        budget.giveBack(large(0));
        assertThat(budget.take(large(held), /* promised= */ true)).isNotNull();
    }

    @Test
    void keepsSomeForPodsWithAPromise() {
        LedgerPodBudget budget = new LedgerPodBudget();
        int held = 0;
        while (budget.take(large(held), /* promised= */ false) != null) {
            held++;
        }
        assertThat(held * large(0).weight())
                .isBetween(LedgerPodBudget.MOST_BYTES / 2, LedgerPodBudget.MOST_BYTES * 3 / 4);
        assertThat(budget.take(large(held), /* promised= */ true)).isNotNull();
    }

    /** The other tenant's pods are for a scheduler that does not exist, and need no decision. */
    @Test
    void whatWasPromisedIsKeptThoughAnotherTenantFillsTheBudget() {
        Story story = new Story();
        story.node("a", 8);
        for (int i = 0; i < 500; i++) {
            story.unbound("evil/p" + i, Amounts.NONE, large(i));
        }
        for (int i = 0; i < 2_000; i++) {
            story.unbound("evil/q" + i, Amounts.NONE, tolerating("evil" + i));
        }
        NodeConstraints small = tolerating("nvidia.com/gpu");
        story.decided("s1", Story.gpus(8), small);
        story.tell(new PodEvent.PodSeen(story.pod("team/x", new Pod.Place.Unbound(small, null), Story.gpus(8), "s1")));

        assertThat(story.ledger.isFree(Story.gpus(1), NodeConstraints.NONE)).isFalse();
    }

    @Test
    void countsAllOfUnusualRequestsWhileThereIsRoom() {
        LedgerPodBudget budget = new LedgerPodBudget();
        int whole = 0;
        Amounts counted = budget.count(unusual(0), Amounts.NONE, ResourceName.NVIDIA_GPU::equals);
        while (counted.equals(unusual(whole))) {
            whole++;
            counted = budget.count(unusual(whole), Amounts.NONE, ResourceName.NVIDIA_GPU::equals);
        }
        assertThat(whole).isGreaterThan(100);
        assertThat(counted).isEqualTo(Amounts.of(ResourceName.NVIDIA_GPU, 8));
        assertThat(budget.count(Amounts.NONE, unusual(0), _ -> true)).isEqualTo(Amounts.NONE);
        assertThat(budget.count(unusual(0), Amounts.NONE, _ -> false)).isEqualTo(unusual(0));
    }

    @Test
    void ordinaryRequestsAreCountedWholeAlsoIfUnusualOnesTakeMore() {
        LedgerPodBudget budget = new LedgerPodBudget();
        for (long bytes = 0;
                bytes <= LedgerPodBudget.MOST_BYTES;
                bytes += unusual(0).weight()) {
            assertThat(budget.count(unusual(0), Amounts.NONE, _ -> true)).isEqualTo(unusual(0));
        }
        Amounts ordinary = Amounts.of(
                Map.of(ResourceName.NVIDIA_GPU, Quantity.of(1), new ResourceName("example.com/nic"), Quantity.of(1)));

        assertThat(budget.count(ordinary, Amounts.NONE, ResourceName.NVIDIA_GPU::equals))
                .isEqualTo(ordinary);
    }

    private static Amounts unusual(int pod) {
        Map<ResourceName, Quantity> many = new HashMap<>(Map.of(ResourceName.NVIDIA_GPU, Quantity.of(8)));
        for (int i = 0; i < 64; i++) {
            many.put(new ResourceName("a.b/" + "x".repeat(300) + pod + "-" + i), Quantity.of(1));
        }
        return Amounts.of(many);
    }

    @Test
    void aPodOfUnknownPlaceTakesNothingAndIsCounted() {
        Story story = new Story();
        story.node("a", 8);
        story.tell(new PodEvent.PodSeen(story.pod("team/x", UNKNOWN, Story.gpus(8), "")));
        assertThat(story.ledger.statistics().pods()).isEqualTo(1);
        assertThat(story.ledger.statistics().unplaced()).isEqualTo(1);
        assertThat(story.ledger.isFree(Story.gpus(8), NodeConstraints.NONE)).isTrue();

        story.bound("team/x", "a", Story.gpus(8));
        assertThat(story.ledger.statistics().unplaced()).isZero();
        assertThat(story.ledger.isFree(Story.gpus(1), NodeConstraints.NONE)).isFalse();

        story.removed("team/x");
        assertThat(story.ledger.statistics().pods()).isZero();
        assertThat(story.ledger.isFree(Story.gpus(8), NodeConstraints.NONE)).isTrue();
    }

    @Test
    void theAuditFindsNothingWrongWithSuchPods() {
        Story story = new Story();
        story.node("a", 8);
        Pod unknown = story.pod("team/x", UNKNOWN, Story.gpus(8), "");
        Pod bound = story.pod("team/y", new Pod.Place.Bound("a"), Story.gpus(4), "");
        story.list(unknown, bound);
        assertThat(story.ledger.statistics().auditDifference()).isEqualTo(AuditDifference.NONE);
        assertThat(story.ledger.statistics().unplaced()).isEqualTo(1);
        story.list(bound);
        assertThat(story.ledger.statistics().auditDifference()).isEqualTo(AuditDifference.NONE);
        assertThat(story.ledger.statistics().unplaced()).isZero();
    }

    /** Most of hundreds of pods with the largest constraints take nothing, and none is lost. */
    @Test
    void takesThousandsOfPodsWithLargeConstraints() {
        Story story = new Story();
        story.node("a", 8);
        for (int i = 0; i < 500; i++) {
            story.unbound("team/p" + i, Story.gpus(1), large(i));
        }
        assertThat(story.ledger.statistics().pods()).isEqualTo(500);
        assertThat(story.ledger.statistics().unplaced()).isEqualTo(500);
        for (int i = 0; i < 500; i++) {
            story.removed("team/p" + i);
        }
        assertThat(story.ledger.statistics().pods()).isZero();
        assertThat(story.ledger.statistics().unplaced()).isZero();
        story.unbound("team/again", Story.gpus(1), NodeConstraints.NONE);
        assertThat(story.ledger.statistics().unplaced()).isZero();
    }
}
