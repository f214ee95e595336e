package dev.sluice.webhook.intake;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MemoryBudgetTest {

    private static final long MIB = 1024 * 1024;
    private static final int SMALL = MemoryBudget.SMALL_BYTES;

    private final AbuseCounter abuse = new AbuseCounter();
    /** 96 MiB, 16 of them for small bodies. */
    private final MemoryBudget budget = MemoryBudget.of(192 * MIB, MIB, abuse);

    private final List<String> refused = new ArrayList<>();

    private MemoryBudget.Hold hold(String name) {
        return budget.begin(() -> refused.add(name));
    }

    @Test
    void holdsWhatTextBecomesUntilItIsGivenBackOnce() {
        MemoryBudget.Hold hold = hold("a");
        assertThat(hold.grow(1_000)).isTrue();
        assertThat(hold.grow(500)).isTrue();
        assertThat(budget.heldBytes()).isEqualTo(1_500L * MemoryBudget.FACTOR);
        assertThat(hold.beginWork()).isTrue();
        hold.answered(100);
        assertThat(budget.heldBytes()).isEqualTo(100);
        hold.release();
        hold.release();
        assertThat(budget.heldBytes()).isZero();
    }

    @Test
    void neverHoldsMoreThanThereIs() {
        for (int i = 0; i < 10_000; i++) {
            var _ = hold("small").grow(i % SMALL);
            var _ = hold("large").grow(SMALL + i);
            assertThat(budget.heldBytes()).isLessThanOrEqualTo(96 * MIB);
        }
        assertThat(budget.heldBytes()).isGreaterThan(64 * MIB);
    }

    @Test
    void bodiesThatGrowTogetherNeverHoldMoreThanThereIs() {
        List<MemoryBudget.Hold> growing =
                IntStream.range(0, 64).mapToObj(i -> hold("body-" + i)).toList();
        growing.forEach(hold -> assertThat(hold.beginWork()).isTrue());
        long granted = 0;
        for (int step = 0; step < 64; step++) {
            for (MemoryBudget.Hold hold : growing) {
                if (hold.grow(64 * 1024)) {
                    granted += 64 * 1024;
                }
                assertThat(budget.heldBytes()).isLessThanOrEqualTo(96 * MIB);
            }
        }
        assertThat(granted).isGreaterThan(16 * MIB);
    }

    @Test
    void theOldestUnfinishedSmallBodyGivesWay() {
        List<MemoryBudget.Hold> holds = new ArrayList<>();
        while (refused.isEmpty()) {
            MemoryBudget.Hold next = hold("body-" + holds.size());
            assertThat(next.grow(SMALL)).isTrue();
            holds.add(next);
        }
        assertThat(refused).containsExactly("body-0");
        assertThat(holds.getFirst().grow(1)).isFalse();
        assertThat(holds.getFirst().beginWork()).isFalse();
        assertThat(abuse.count(AbuseCause.NO_MEMORY)).isPositive();
    }

    @Test
    void whatIsBeingWorkedOnDoesNotGiveWay() {
        List<MemoryBudget.Hold> holds = new ArrayList<>();
        for (MemoryBudget.Hold next = hold("first"); next.grow(SMALL); next = hold("more")) {
            assertThat(next.beginWork()).isTrue();
            holds.add(next);
        }
        assertThat(refused).isEmpty();
        assertThat(holds).allMatch(MemoryBudget.Hold::beginWork);
    }

    @Test
    void largeBodiesTakeNothingFromTheSmallOnes() {
        for (int i = 0; i < 100; i++) {
            var _ = hold("large").grow(4 * MIB);
        }
        assertThat(hold("small").grow(SMALL)).isTrue();
        assertThat(refused).isEmpty();
    }

    @Test
    void aBodyThatGrowsLargeLeavesTheShareOfTheSmallOnes() {
        MemoryBudget.Hold grows = hold("grows");
        assertThat(grows.grow(SMALL)).isTrue();
        assertThat(grows.grow(1)).isTrue();
        assertThat(budget.heldBytes()).isEqualTo((SMALL + 1L) * MemoryBudget.FACTOR);
        grows.release();
        assertThat(budget.heldBytes()).isZero();
    }

    @Test
    void theLargestBodyIsAdmittedAloneWhateverTheHeap() {
        MemoryBudget little = MemoryBudget.of(64 * MIB, 8 * MIB, abuse);
        assertThat(little.begin(() -> {}).grow(8 * MIB)).isTrue();
        assertThat(little.begin(() -> {}).grow(8 * MIB)).isFalse();
    }
}
