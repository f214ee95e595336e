package dev.sluice.ledger.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FreeCapacityTreeTest {

    private static final int DIMENSIONS = 3;

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void findsWhatALinearScanFinds(long seed) {
        Random random = new Random(seed);
        FreeCapacityTree tree = new FreeCapacityTree(DIMENSIONS);
        List<long @Nullable []> slots = new ArrayList<>();
        for (int i = 0; i < 3_000; i++) {
            change(random, tree, slots);
            long[] need = amounts(random);
            int parity = random.nextInt(3);
            assertThat(tree.first(need, slot -> parity == 2 || slot % 2 == parity))
                    .isEqualTo(scan(slots, need, parity));
        }
    }

    private static void change(Random random, FreeCapacityTree tree, List<long @Nullable []> slots) {
        if (slots.isEmpty() || (slots.size() < 70 && random.nextInt(20) == 0)) {
            slots.add(null);
            tree.grow(slots.size());
        }
        int slot = random.nextInt(slots.size());
        if (random.nextInt(4) == 0) {
            tree.clear(slot);
            slots.set(slot, null);
        } else {
            long[] free = amounts(random);
            tree.set(slot, free);
            slots.set(slot, free);
        }
    }

    private static long[] amounts(Random random) {
        long[] amounts = new long[DIMENSIONS];
        for (int i = 0; i < DIMENSIONS; i++) {
            amounts[i] = random.nextInt(6) - 1L;
        }
        return amounts;
    }

    private static int scan(List<long @Nullable []> slots, long[] need, int parity) {
        for (int slot = 0; slot < slots.size(); slot++) {
            long[] free = slots.get(slot);
            if (free != null && (parity == 2 || slot % 2 == parity) && covers(free, need)) {
                return slot;
            }
        }
        return -1;
    }

    private static boolean covers(long[] free, long[] need) {
        for (int i = 0; i < DIMENSIONS; i++) {
            if (free[i] < need[i]) {
                return false;
            }
        }
        return true;
    }
}
