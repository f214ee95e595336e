package dev.sluice.webhook.intake;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MemoryBudgetTest {

    private static final long MIB = 1024 * 1024;
    private static final int SMALL = MemoryBudget.SMALL_BYTES;

    private final ClientAbuseCounter abuse = new ClientAbuseCounter();
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

    /** Bodies grow step by step, most of them are being worked on, and one that gets no memory ends. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void neverHoldsMoreThanThereIs(long seed) {
        Random random = new Random(seed);
        List<MemoryBudget.Hold> holds = new ArrayList<>();
        long most = 0;
        for (int step = 0; step < 20_000; step++) {
            if (holds.size() < 400) {
                holds.add(hold("body"));
            }
            MemoryBudget.Hold hold = holds.get(random.nextInt(holds.size()));
            boolean ends = random.nextInt(100) == 0;
            if (random.nextInt(10) == 0) {
                ends |= !hold.beginWork();
            } else {
                ends |= !hold.grow(random.nextBoolean() ? 1 + random.nextInt(SMALL) : random.nextInt(1024));
            }
            if (ends) {
                holds.remove(hold);
                hold.release();
            }
            most = Math.max(most, budget.heldBytes());
            assertThat(budget.heldBytes()).isLessThanOrEqualTo(96 * MIB);
        }
        assertThat(most).as("the budget was nearly used up").isGreaterThan(95 * MIB);
        holds.forEach(MemoryBudget.Hold::release);
        assertThat(budget.heldBytes()).isZero();
    }

    @Test
    void aLargeBodyDoesNotGrowBeyondTheShareOfTheLargeOnes() {
        MemoryBudget.Hold first = worked(8 * MIB);
        MemoryBudget.Hold second = worked(7 * MIB);

        assertThat(second.grow(MIB + 1)).isFalse();
        assertThat(budget.heldBytes()).isLessThanOrEqualTo(80 * MIB);

        first.release();
        assertThat(worked(8 * MIB).grow(1)).isTrue();
    }

    @Test
    void aSmallBodyThatGrowsLargeNeedsRoomForAllOfItAmongTheLargeOnes() {
        MemoryBudget.Hold first = worked(8 * MIB);
        MemoryBudget.Hold second = worked(8 * MIB - SMALL);
        MemoryBudget.Hold grows = hold("grows");
        assertThat(grows.grow(SMALL)).isTrue();

        assertThat(grows.grow(1)).isFalse();

        first.release();
        second.release();
        MemoryBudget.Hold later = hold("later");
        assertThat(later.grow(SMALL)).isTrue();
        assertThat(later.grow(1)).isTrue();
    }

    /** A body that is being decided, and does not give way. */
    private MemoryBudget.Hold worked(long bytes) {
        MemoryBudget.Hold hold = hold("worked");
        assertThat(hold.grow(bytes)).isTrue();
        assertThat(hold.beginWork()).isTrue();
        return hold;
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
        assertThat(abuse.count(ClientAbuseCause.NO_MEMORY)).isPositive();
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
